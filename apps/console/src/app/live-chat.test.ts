// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import * as brand from './brand';
import { showLiveChat } from './live-chat';

afterEach(() => {
  vi.restoreAllMocks();
});

it.each([
  [true, true, true],
  [true, false, false],
  [false, true, false],
])('is shown with the flag of the route %s and chat of the brand %s: %s', (isShown, hasChat, isVisible) => {
  vi.spyOn(brand, 'getBrand').mockReturnValue({ ...brand.getBrand(), chat_enabled: hasChat });
  const told: unknown[] = [];
  const listen = (event: Event) => told.push((event as CustomEvent).detail);
  window.addEventListener('live-chat', listen);
  showLiveChat(isShown);
  window.removeEventListener('live-chat', listen);
  expect(told).toEqual([{ isVisible }]);
  expect(document.documentElement.hasAttribute('data-live-chat')).toBe(isVisible);
});
