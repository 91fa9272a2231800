// @vitest-environment happy-dom
import { renderHook } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { useLastSize } from './states';

const lastSizeOf = (list: string) => renderHook(() => useLastSize(list, undefined)).result.current;
const show = (list: string, size: number) => renderHook(() => useLastSize(list, size));

beforeEach(() => window.localStorage.clear());

it('knows how long a list was when it was shown last, and nothing of one that never was', () => {
  show('Domains', 4);
  show('Bans', 0);
  show('Domains', 7);
  expect(['Domains', 'Bans', 'Templates'].map(lastSizeOf)).toEqual([7, 0, undefined]);
});

it('forgets the list that was seen longest ago, and what it cannot read', () => {
  for (let index = 0; index <= 40; index++) show(`list ${index}`, index);
  expect([lastSizeOf('list 0'), lastSizeOf('list 1'), lastSizeOf('list 40')]).toEqual([undefined, 1, 40]);
  window.localStorage.setItem('list-sizes', '{');
  expect(lastSizeOf('list 1')).toBeUndefined();
});
