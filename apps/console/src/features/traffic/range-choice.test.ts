// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest';
import { readRange, rememberRange } from './range-choice';

beforeEach(() => window.localStorage.clear());

it('is a day until another was chosen, which is remembered', () => {
  expect(readRange()).toBe('24h');
  rememberRange('7d');
  expect(readRange()).toBe('7d');
});

it('is a day where what was remembered is none', () => {
  window.localStorage.setItem('dashboard-range', '9y');
  expect(readRange()).toBe('24h');
});
