// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { applyLastTime, showMissingProgram } from './missing-program';

const answer = vi.fn<() => Promise<Response>>();
const reload = vi.fn();
const absent = () => Promise.reject(new TypeError('network'));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', answer);
  answer.mockReset().mockImplementation(absent);
  reload.mockReset();
  vi.spyOn(window.location, 'reload').mockImplementation(reload);
  document.body.innerHTML = '<div id="root"></div>';
});
afterEach(() => {
  vi.clearAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  localStorage.clear();
  document.body.replaceChildren();
});

function show(reason: 'network' | 'missing') {
  applyLastTime();
  showMissingProgram(document.querySelector('#root') as Element, reason);
}

it.each([
  ['en', 'light', 'Please check your network', 'Retry'],
  ['zh', 'dark', '请检查您的网络', '重试'],
])('says in the language and theme of last time (%s, %s) that there is no network', (locale, theme, text, retry) => {
  localStorage.setItem('locale', locale);
  localStorage.setItem('theme', theme);
  show('network');
  expect(document.querySelector('main [role=alert]')?.textContent).toBe(text);
  expect(document.querySelector('button')?.textContent).toBe(retry);
  expect(document.documentElement.style.colorScheme).toBe(theme);
});

it('comes back by itself once the service answers, and not for what stands before it', async () => {
  show('network');
  await vi.advanceTimersByTimeAsync(3_000);
  answer.mockResolvedValue(new Response('', { status: 502 }));
  await vi.advanceTimersByTimeAsync(3_000);
  expect(answer).toHaveBeenCalledTimes(2);
  expect(reload).not.toHaveBeenCalled();
  answer.mockResolvedValue(new Response(''));
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(reload).toHaveBeenCalled();
});

it('waits for a press where a file is missing, which reloading alone need not cure', async () => {
  answer.mockResolvedValue(new Response(''));
  show('missing');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reload).not.toHaveBeenCalled();
  document.querySelector('button')?.click();
  await vi.advanceTimersByTimeAsync(0);
  expect(reload).toHaveBeenCalled();
});
