// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startSessionTimer } from './session-timer';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function start(secondsLeft: () => number | undefined, refresh = vi.fn(async () => {})) {
  const onFailure = vi.fn();
  const stop = startSessionTimer({ secondsLeft, refresh, onFailure });
  return { refresh, onFailure, stop };
}

test('every 60 s a token with less than 70 s left is refreshed', async () => {
  let left = 130;
  const { refresh, stop } = start(() => left);
  await vi.advanceTimersByTimeAsync(59_999);
  expect(refresh).not.toHaveBeenCalled();
  left = 70;
  await vi.advanceTimersByTimeAsync(1);
  expect(refresh).not.toHaveBeenCalled();
  left = 69.9;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(refresh).toHaveBeenCalledTimes(1);
  stop();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(refresh).toHaveBeenCalledTimes(1);
});

test('nothing is refreshed while signed out', async () => {
  const { refresh, stop } = start(() => undefined);
  await vi.advanceTimersByTimeAsync(300_000);
  expect(refresh).not.toHaveBeenCalled();
  stop();
});

test('a failed refresh is reported, so that login is forced', async () => {
  const cause = new Error('invalid_grant');
  const { onFailure, stop } = start(
    () => 10,
    vi.fn(async () => Promise.reject(cause)),
  );
  await vi.advanceTimersByTimeAsync(60_000);
  expect(onFailure).toHaveBeenCalledExactlyOnceWith(cause);
  stop();
});

test('a device that wakes up looks at once, and never refreshes twice at the same time', async () => {
  let finish = () => {};
  const refresh = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
  const { stop } = start(() => 5, refresh);
  document.dispatchEvent(new Event('visibilitychange'));
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(refresh).toHaveBeenCalledTimes(1);
  finish();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(refresh).toHaveBeenCalledTimes(2);
  stop();
});
