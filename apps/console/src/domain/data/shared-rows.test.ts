import type { RouteSummary } from '@cordon/contract';
import { expect, it } from 'vitest';
import { sharedRows } from './shared-rows';

const row = (id: string, status = 'running') =>
  ({ id, status, operation: { id: 'o', state: 'running' } }) as RouteSummary;

it('a row that says the same is the same object, in whatever order it comes', () => {
  const [a, b] = sharedRows([row('a'), row('b')]);
  expect(sharedRows([row('b'), row('a')])).toEqual([b, a]);
  const again = sharedRows([row('b'), row('a')]);
  expect(again[0]).toBe(b);
  expect(again[1]).toBe(a);
});

it('a row that says something else is another one', () => {
  const [before] = sharedRows([row('c')]);
  const [after] = sharedRows([row('c', 'deactivated')]);
  expect(after).not.toBe(before);
  expect(after?.status).toBe('deactivated');
});

it('rows that were not seen for long are forgotten', () => {
  const [first] = sharedRows([row('first')]);
  sharedRows(Array.from({ length: 1000 }, (_, index) => row(`other-${index}`)));
  const [again] = sharedRows([row('first')]);
  expect(again).not.toBe(first);
  expect(again).toEqual(first);
});
