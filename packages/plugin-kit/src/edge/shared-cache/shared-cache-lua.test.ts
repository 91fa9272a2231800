import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { luaModuleName, runUnderLuaJit, toLuaLiteral } from '../../testing/luajit.ts';
import { NOW } from './testing/clock.ts';
import { DATE_CASES } from './testing/date-cases.ts';
import * as describeCase from './testing/describe.ts';
import { CACHE_CONTROL_CASES, REQUEST_CASES, SURROGATE_CASES, TARGETED_CASES } from './testing/directive-cases.ts';
import { REPORT_CASES } from './testing/report-cases.ts';
import { REUSE_CASES } from './testing/reuse-cases.ts';
import { STORAGE_CASES } from './testing/storage-cases.ts';

const sample = { numRuns: 2000, seed: 20270115 };
const part = (...parts: readonly string[]) => fc.string({ unit: fc.constantFrom(...parts), maxLength: 12 });
const dates = part('Sun', 'Sunday', ', ', ' ', '-', '06', '6', 'Nov', '1994', '94', '08:49:37', 'GMT', 'é', '');
const directives = part(
  ...[
    'max-age',
    's-maxage',
    'no-store',
    'private',
    'no-cache',
    'public',
    'stale-if-error',
    '=',
    '"',
    '\\',
    ',',
    ', ',
    ' ',
  ],
  ...[';', '0', '60', '99999999999', 'x', 'X', 'é', '\t', '?1', '?0', '(', ')', ':', '.5', '-', '*'],
);

const { cacheControl, targeted } = {
  cacheControl: [
    ...CACHE_CONTROL_CASES.map(({ lines }) => lines),
    ...fc.sample(fc.array(directives, { maxLength: 2 }), sample),
  ],
  targeted: [...TARGETED_CASES.map(({ lines }) => lines), ...fc.sample(fc.array(directives, { maxLength: 2 }), sample)],
};

/** By function, the arguments that it is called with. */
const CALLS: Readonly<Record<keyof typeof describeCase & `describe${string}`, readonly (readonly unknown[])[]>> = {
  describeDate: [...DATE_CASES.map(([, text]) => text), ...fc.sample(dates, sample)].map((text) => [text, NOW]),
  describeCacheControl: cacheControl.map((lines) => [lines]),
  describeTargeted: targeted.map((lines) => [lines]),
  describeSurrogate: [...SURROGATE_CASES.map(({ lines }) => lines), ...cacheControl].map((lines) => [lines]),
  describeRequest: [
    ...REQUEST_CASES.map(({ cacheControl: lines, pragma }) => [lines, pragma]),
    ...cacheControl.map((lines) => [lines, []]),
  ],
  describeStorage: STORAGE_CASES.map(({ policy, request, answer, requestedAt, now }) => [
    { policy, request, answer, requestedAt, now },
  ]),
  describeReuse: REUSE_CASES.map(({ cacheControl: lines, pragma, stored, now }) => [
    { cacheControl: lines, pragma, stored, now },
  ]),
  describeReport: REPORT_CASES.map(({ report }) => [report]),
};

it('means the same under LuaJIT as in Node', () => {
  const file = fileURLToPath(new URL('./testing/describe.ts', import.meta.url));
  const calls = Object.entries(CALLS).flatMap(([name, rows]) => rows.map((row) => [name, row] as const));
  const script = [
    `local describe = require(${toLuaLiteral(luaModuleName(file))})`,
    'local calls = {}',
    ...calls.map(
      ([name, row], at) =>
        `calls[${at + 1}] = function() return describe.${name}(nil, ${row.map(toLuaLiteral).join(', ')}) end`,
    ),
    'for _, call in ipairs(calls) do print(call()) end',
  ].join('\n');
  const lines = runUnderLuaJit([file], script).split('\n').slice(0, -1);
  const functions = describeCase as unknown as Record<string, (...row: readonly unknown[]) => string>;
  const expected = calls.map(([name, row]) => `${functions[name]?.(...row)}`);
  expect(lines).toEqual(expected);
  // The samples are worth something: many texts say something.
  expect(expected.filter((line) => line.includes('60') && !line.includes(' ignored')).length).toBeGreaterThan(200);
}, 60_000);
