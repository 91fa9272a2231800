import { expect, it } from 'vitest';
import { createPlainCounters } from './plain-context.ts';
import { countInWindow, forgetWindow } from './window-count.ts';

const NOW = 1_790_000_000;

function countAt(...times: readonly number[]): number[] {
  const counters = createPlainCounters();
  return times.map((time) => countInWindow(counters, 'key', NOW + time, 60));
}

it('counts what was within the window', () => expect(countAt(0, 1, 20, 50)).toEqual([1, 2, 3, 4]));

it('never counts what is older, wherever the window of its tenths begins', () => {
  for (let offset = 0; offset < 12; offset += 0.5) expect(countAt(offset, offset + 60)).toEqual([1, 1]);
});

it('counts all that is no older than nine tenths', () => {
  for (let offset = 0; offset < 12; offset += 0.5) expect(countAt(offset, offset + 53.9)).toEqual([1, 2]);
});

it('counts by key', () => {
  const counters = createPlainCounters();
  countInWindow(counters, 'one ', NOW, 60);
  expect(countInWindow(counters, 'other ', NOW, 60)).toBe(1);
});

it('begins anew after it was told to forget, wherever the window of its tenths begins', () => {
  for (let offset = 0; offset < 12; offset += 0.5) {
    const counters = createPlainCounters();
    for (const time of [0, 10, 30, 53]) countInWindow(counters, 'key', NOW + offset + time, 60);
    countInWindow(counters, 'other', NOW + offset + 53, 60);
    forgetWindow(counters, 'key', NOW + offset + 53, 60);
    expect(countInWindow(counters, 'key', NOW + offset + 53, 60)).toBe(1);
    expect(countInWindow(counters, 'other', NOW + offset + 53, 60)).toBe(2);
  }
});
