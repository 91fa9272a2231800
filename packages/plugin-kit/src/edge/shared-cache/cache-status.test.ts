import { expect, it } from 'vitest';
import { formatCacheStatus } from './cache-status.ts';
import { REPORT_CASES } from './testing/report-cases.ts';

it.each(REPORT_CASES.map((row) => [row.title, row] as const))('%s', (_, { report, text }) => {
  expect(formatCacheStatus(report)).toBe(text);
});
