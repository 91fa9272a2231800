import { expect, it } from 'vitest';
import { describeReport } from './testing/describe.ts';
import { REPORT_CASES } from './testing/report-cases.ts';

it.each(REPORT_CASES.map((row) => [row.title, row] as const))('%s', (_, { report, text }) => {
  expect(describeReport(report)).toBe(text);
});
