import { expect, it } from 'vitest';
import { cacheControlOf, judgeStorage } from './storage.ts';
import { NOW } from './testing/clock.ts';
import { cacheAnswer } from './testing/describe.ts';
import { STORAGE_CASES } from './testing/storage-cases.ts';
import type { CachePolicy } from './types.ts';

it.each(STORAGE_CASES.map((row) => [row.title, row] as const))('%s', (_, row) => {
  const { policy, request, answer, requestedAt, now, expected } = row;
  const decision = judgeStorage(policy, request, cacheAnswer(answer), requestedAt, now);
  const { freshUntil, madeAt } = decision;
  expect({ ...decision, freshSeconds: freshUntil - NOW, ageSeconds: NOW - madeAt }).toMatchObject(expected);
});

it('says nothing of a lifetime where nothing is stored', () => {
  const unstored = STORAGE_CASES.filter(({ expected }) => expected.unstored !== undefined);
  for (const { policy, request, answer, requestedAt, now } of unstored) {
    const decision = judgeStorage(policy, request, cacheAnswer(answer), requestedAt, now);
    expect(decision).toMatchObject({ lifetimeSource: 'none', freshUntil: decision.madeAt, staleIfErrorSeconds: 0 });
    expect(decision).toMatchObject({
      mustRevalidate: true,
      staleWhileRevalidateSeconds: 0,
      withheldFields: [],
      tags: [],
    });
  }
});

it.each([
  ['the origin’s', '', false, ['max-age=60', 'public'], ['max-age=60', 'public']],
  ['the origin’s, though the policy has some', 'no-store', false, ['max-age=60'], ['max-age=60']],
  ['the policy’s in place of none', 'no-store', false, [], ['no-store']],
  ['the policy’s in place of the origin’s', 'no-store', true, ['max-age=60'], ['no-store']],
  ['the origin’s where the policy overrides with nothing', '', true, ['max-age=60'], ['max-age=60']],
] as const)('RFC 9111 5.2: visitors get directives: %s', (_, cacheControl, overridesCacheControl, lines, sent) => {
  const policy = { ...(STORAGE_CASES[0]?.policy as CachePolicy), cacheControl, overridesCacheControl };
  expect(cacheControlOf(policy, cacheAnswer({ status: 200, fields: { 'cache-control': lines } }))).toEqual(sent);
});
