import { expect, it } from 'vitest';
import { requestDirectives } from './directives.ts';
import { judgeReuse } from './reuse.ts';
import { REUSE_CASES } from './testing/reuse-cases.ts';

it.each(REUSE_CASES.map((row) => [row.title, row] as const))('%s', (_, row) => {
  const { cacheControl, pragma, stored, now, expected } = row;
  expect(judgeReuse(requestDirectives(cacheControl, pragma), stored, now)).toMatchObject(expected);
});
