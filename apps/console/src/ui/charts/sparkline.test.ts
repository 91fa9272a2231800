import { expect, it } from 'vitest';
import { sparkPath } from './sparkline';

it('reaches from the floor for nothing to the top for the most, over the whole width', () => {
  expect(sparkPath([0, 20, 10])).toBe('M-2 20V17.0L0.0 17.0L32.0 1.0L64.0 9.0L66 9.0V20Z');
});

it('lies on the floor when there was nothing, and is a level for one value', () => {
  expect(sparkPath([0, 0])).toBe('M-2 20V17.0L0.0 17.0L64.0 17.0L66 17.0V20Z');
  expect(sparkPath([3])).not.toContain('NaN');
});

it('draws a few requests low: they are no peak', () => {
  expect(sparkPath([0, 5])).toBe('M-2 20V17.0L0.0 17.0L64.0 9.0L66 9.0V20Z');
});
