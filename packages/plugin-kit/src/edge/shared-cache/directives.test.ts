import { describe, expect, it } from 'vitest';
import { answerDirectives, noAnswerDirectives, requestDirectives } from './directives.ts';
import { CACHE_CONTROL_CASES, REQUEST_CASES } from './testing/directive-cases.ts';

describe('Cache-Control of answers', () => {
  it.each(CACHE_CONTROL_CASES.map((row) => [row.title, row] as const))('%s', (_, { lines, said }) => {
    expect(answerDirectives(lines)).toEqual({ ...noAnswerDirectives(), ...said });
  });
});

describe('Cache-Control of requests', () => {
  it.each(REQUEST_CASES.map((row) => [row.title, row] as const))('%s', (_, { cacheControl, pragma, said }) => {
    expect(requestDirectives(cacheControl, pragma)).toEqual({
      hasNoStore: false,
      hasNoCache: false,
      hasNoTransform: false,
      hasOnlyIfCached: false,
      ...said,
    });
  });
});
