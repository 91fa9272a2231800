import { expect, it } from 'vitest';
import { cacheControlOf, judgeStorage, staleBeforeTime } from './storage.ts';
import { NOW } from './testing/clock.ts';
import { cacheAnswer } from './testing/describe.ts';
import { STORAGE_CASES } from './testing/storage-cases.ts';
import type { CachePolicy, CacheRequest } from './types.ts';

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

it.each([
  ['max-age=60', undefined, [100, 100]],
  ['max-age=60, stale-while-revalidate=30, stale-if-error=300', undefined, [100, 300]],
  ['max-age=60, stale-while-revalidate=0, stale-if-error=300', undefined, [0, 300]],
  ['s-maxage=60, stale-while-revalidate=30', undefined, [30, 0]],
  ['max-age=60, stale-while-revalidate=0', 'max-age=60', [100, 100]],
  ['max-age=60', 'max-age=60, must-revalidate', [0, 0]],
  ['max-age=60, stale-if-error=30, proxy-revalidate', undefined, [0, 0]],
  ['max-age=60, stale-if-error=30, no-cache', undefined, [0, 0]],
] as const)(
  'RFC 9111 4.2.4: made stale before its time, it serves for 100 s, or less: %s, for CDNs %s',
  (said, forCdns, times) => {
    const policy = STORAGE_CASES[0]?.policy as CachePolicy;
    const fields = { etag: ['"1"'], 'cache-control': [said], ...(forCdns && { 'cdn-cache-control': [forCdns] }) };
    const answer = cacheAnswer({ status: 200, fields });
    const request = STORAGE_CASES[0]?.request as CacheRequest;
    const made = staleBeforeTime(policy, answer, judgeStorage(policy, request, answer, NOW, NOW), 100);
    expect([made.staleWhileRevalidateSeconds, made.staleIfErrorSeconds]).toEqual(times);
  },
);
