// @vitest-environment happy-dom
import { act } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderWithWords } from '../../testing/render-with-words';
import { LaterParts } from './later-parts';

const loaded = vi.hoisted(() => vi.fn());
vi.mock('../leave-dialog', () => {
  loaded();
  return { default: () => null };
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('has the question of lost changes before it is asked: without a network it could not come', async () => {
  renderWithWords(<LaterParts />);
  expect(loaded).not.toHaveBeenCalled();
  act(() => void vi.advanceTimersByTime(3000));
  await vi.dynamicImportSettled();
  expect(loaded).toHaveBeenCalledOnce();
});
