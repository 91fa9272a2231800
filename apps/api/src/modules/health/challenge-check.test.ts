import { expect, it } from 'vitest';
import { isUnmet } from './challenge-check.ts';

const secondsAgo = (seconds: number) => Math.round(Date.now() / 1000) - seconds;

it.each([
  [49, 0, 30, false],
  [50, 0, 30, true],
  [500, 1, 30, false],
  [50, 0, 170, true],
  [50, 0, 190, false],
])(
  'of %i challenged and %i passed, the last one %i s ago, visitors may be stuck: %s',
  (challenged, passed, ago, unmet) => {
    const one = {
      route_id: 'r',
      account_id: 'a',
      challenged,
      passed,
      passed_before: 0,
      challenged_at: secondsAgo(ago),
    };
    expect(isUnmet(one)).toBe(unmet);
  },
);
