import { expect, it } from 'vitest';
import { nextAskMs } from './resolver.ts';

it('asks less and less often for a name that fails: who brings many of them must not hold up the others', () => {
  const delays = [1, 2, 3, 5, 8].map((failures) => nextAskMs(failures, 30_000));
  expect(delays[0]).toBe(1_000);
  expect(delays[1]).toBe(2_000);
  expect(delays.at(-1)).toBe(30_000);
  expect(nextAskMs(1, 300)).toBe(300);
  expect(nextAskMs(0, 30_000)).toBe(30_000);
});
