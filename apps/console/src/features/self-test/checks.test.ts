import { expect, test } from 'vitest';
import { compareClocks } from './checks';

test.each([
  [0, 'good'],
  [900, 'good'],
  [-4000, 'good'],
  [20_000, 'warning'],
  [-300_000, 'bad'],
] as const)('a clock that is off by %i ms is %s', (skew, state) => {
  const server = 1_800_000_000_000;
  expect(compareClocks(server + skew, server).state).toBe(state);
});
