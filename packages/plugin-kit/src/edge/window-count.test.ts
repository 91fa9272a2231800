import { expect, it } from 'vitest';
import { createPlainCounters } from './plain-context.ts';
import { type Counters, countInWindow, createWindowMemory, forgetWindow } from './window-count.ts';

const NOW = 1_790_000_000;

function windowsOf(counters: Counters, memory = createWindowMemory()) {
  return {
    count: (key: string, now: number) => countInWindow(counters, memory, key, now, 60),
    forget: (key: string, now: number) => forgetWindow(counters, memory, key, now, 60),
  };
}

function countAt(...times: readonly number[]): number[] {
  const { count } = windowsOf(createPlainCounters());
  return times.map((time) => count('key', NOW + time));
}

it('counts what was within the window', () => expect(countAt(0, 1, 20, 50)).toEqual([1, 2, 3, 4]));

it('never counts what is older, wherever the window of its tenths begins', () => {
  for (let offset = 0; offset < 12; offset += 0.5) expect(countAt(offset, offset + 60)).toEqual([1, 1]);
});

it('counts all that is no older than nine tenths', () => {
  for (let offset = 0; offset < 12; offset += 0.5) expect(countAt(offset, offset + 53.9)).toEqual([1, 2]);
});

it('counts by key', () => {
  const { count } = windowsOf(createPlainCounters());
  count('one ', NOW);
  expect(count('other ', NOW)).toBe(1);
});

it('begins anew after it was told to forget, wherever the window of its tenths begins', () => {
  for (let offset = 0; offset < 12; offset += 0.5) {
    const { count, forget } = windowsOf(createPlainCounters());
    for (const time of [0, 10, 30, 53]) count('key', NOW + offset + time);
    count('other', NOW + offset + 53);
    forget('key', NOW + offset + 53);
    expect(count('key', NOW + offset + 53)).toBe(1);
    expect(count('other', NOW + offset + 53)).toBe(2);
  }
});

it('reads the older slices once in a second', () => {
  const counters = createPlainCounters();
  let reads = 0;
  const get = (key: string): number => {
    reads++;
    return counters.get(key);
  };
  const { count } = windowsOf({ ...counters, get });
  count('key', NOW - 20);
  reads = 0;
  expect([0, 0.1, 0.2, 0.9].map((time) => count('key', NOW + time))).toEqual([2, 3, 4, 5]);
  expect(reads).toBe(9);
  expect(count('key', NOW + 1)).toBe(6);
  expect(reads).toBe(18);
});

it('counts nothing that another process has forgotten', () => {
  const counters = createPlainCounters();
  const [one, other] = [windowsOf(counters), windowsOf(counters)];
  for (const time of [-30, -20, 0, 0]) one.count('key', NOW + time);
  other.forget('key', NOW);
  expect(one.count('key', NOW)).toBe(1);
  for (const time of [-30, -20]) other.count('key', NOW + time);
  expect(one.count('key', NOW + 1)).toBe(4);
});

it('counts nothing that it has forgotten itself, however much another process has counted since', () => {
  const counters = createPlainCounters();
  const [one, other] = [windowsOf(counters), windowsOf(counters)];
  for (const time of [-30, -20, 0]) one.count('key', NOW + time);
  one.forget('key', NOW);
  other.count('key', NOW);
  expect(one.count('key', NOW)).toBe(2);
});

it('counts on when it has met more clients than it remembers', () => {
  const memory = createWindowMemory();
  const { count } = windowsOf(createPlainCounters(), memory);
  for (let client = 0; client < 12_000; client++) count(`key ${client} `, NOW);
  expect(memory.size).toBeLessThanOrEqual(5000);
  expect([count('key 1 ', NOW), count('key 11999 ', NOW)]).toEqual([2, 2]);
});
