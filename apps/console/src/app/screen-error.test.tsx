// @vitest-environment happy-dom
import { ApiError, rejectionList } from '@cordon/contract';
import { act, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { renderWithWords } from '../testing/render-with-words';
import { LoadError } from '../ui/reach';
import { needCatalogs } from './intl-store';
import { ScreenError } from './screen-error';

const place = vi.hoisted(() => ({ pathname: '/dashboard' }));
vi.mock('@tanstack/react-router', async (original) => ({
  ...(await original<object>()),
  useRouter: () => ({ invalidate: () => Promise.resolve() }),
  useLocation: () => ({ pathname: place.pathname }),
}));

beforeAll(() => needCatalogs('ui', 'pages', 'errors', 'shell'));
beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const show = (error: Error) => {
  const reset = vi.fn();
  renderWithWords(<ScreenError error={error} reset={reset} />);
  return reset;
};

it('comes back by itself once something answers, though the browser noticed nothing', async () => {
  const ask = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'));
  const reset = show(new LoadError('network'));
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(ask).toHaveBeenCalled();
  expect(reset).not.toHaveBeenCalled();
  ask.mockResolvedValue(new Response(''));
  await act(() => vi.advanceTimersByTimeAsync(3_000));
  expect(reset).toHaveBeenCalledOnce();
});

it('says of an error of the service its status and request, and leads to the self-test', async () => {
  vi.useRealTimers();
  const cause = new Response('<html>', { status: 500, headers: { 'x-request-id': 'r-1' } });
  show(new ApiError(500, undefined, undefined, rejectionList(undefined), { cause }));
  await screen.findByText('Something went wrong on our side. Try again in a moment (status 500).');
  expect(screen.getByText('r-1')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Self-test' }).getAttribute('href')).toBe('#/pages/test');
});

it.each([
  ['/dashboard', 'Domains', '#/domain/list'],
  ['/domain/list', 'Dashboard', '#/dashboard'],
  ['/domain/rules', 'Dashboard', '#/dashboard'],
])('leads on from %s, and not to it', async (pathname, name, href) => {
  place.pathname = pathname;
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'));
  show(new LoadError('network'));
  expect(screen.getByRole('link', { name }).getAttribute('href')).toBe(href);
  expect(screen.getAllByRole('link')).toHaveLength(1);
});
