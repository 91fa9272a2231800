// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ComponentType, Suspense } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderWithWords } from '../testing/render-with-words';
import { lazyPart, loadTwice } from './lazy-part';
import NoticeList from './notice-list';

const missing = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module: /part.js'));
const page = (html: string, status = 200) => vi.stubGlobal('fetch', async () => new Response(html, { status }));
afterEach(() => {
  vi.unstubAllGlobals();
  document.head.innerHTML = '';
});

it.each([
  [
    'no network',
    () => vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch'))),
    /check your network/,
  ],
  ['only what stands before the service', () => page('', 503), /not available right now/],
  ['a page that is another one by now', () => page('<script src="/new.js">'), /console was updated/],
  ['a page that is the same', () => page('<script src="/main.js">'), /file is missing/],
])('says in its place why it is not there: %s', async (_what, answer, reason) => {
  document.head.innerHTML = '<script src="/main.js" type="text/plain"></script>';
  answer();
  const Part = lazyPart(missing);
  renderWithWords(
    <Suspense>
      <Part />
    </Suspense>,
  );
  expect(await screen.findByText(reason, {}, { timeout: 3000 })).toBeDefined();
});

it('is asked for again by itself before it is given up', async () => {
  const load = vi.fn<() => Promise<string>>().mockImplementationOnce(missing).mockResolvedValue('part');
  expect(await loadTwice(load)).toBe('part');
  expect(load).toHaveBeenCalledTimes(2);
});

it('is given up by its second try, too, once its file has been on its way for long', async () => {
  vi.useFakeTimers();
  const load = vi
    .fn<() => Promise<string>>()
    .mockImplementationOnce(missing)
    .mockReturnValue(new Promise(() => {}));
  const failed = vi.fn();
  void loadTwice(load).catch(failed);
  await vi.advanceTimersByTimeAsync(15_900);
  expect(load).toHaveBeenCalledTimes(2);
  expect(failed).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  expect(failed).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ reason: 'network' }));
  vi.useRealTimers();
});

it('says that the network is slow once its file has been on its way for long, and takes it when it came meanwhile', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let arrive: (module: { default: ComponentType }) => void = () => undefined;
  const file = new Promise<{ default: ComponentType }>((resolve) => (arrive = resolve));
  const Part = lazyPart(() => file);
  renderWithWords(
    <Suspense>
      <Part />
    </Suspense>,
  );
  await act(() => vi.advanceTimersByTimeAsync(14_900));
  expect(screen.queryByText(/check your network/)).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(200));
  await screen.findByText(/check your network/);
  arrive({ default: () => <input aria-label="here" /> });
  await userEvent.setup({ advanceTimers: vi.advanceTimersByTime }).click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByLabelText('here')).toBeDefined();
  vi.useRealTimers();
});

it('is loaded again by Retry, once', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  const load = vi.fn<() => Promise<{ default: ComponentType }>>(missing);
  const Part = lazyPart(load);
  const view = () => (
    <Suspense>
      <Part />
    </Suspense>
  );
  const { rerender } = renderWithWords(view());
  const retry = await screen.findByRole('button', { name: 'Retry' }, { timeout: 3000 });
  load.mockResolvedValue({ default: () => <input aria-label="here" /> });
  await userEvent.click(retry);
  const here = await screen.findByLabelText('here');
  rerender(view());
  expect(screen.getByLabelText('here')).toBe(here);
});

it('comes by itself once there is a network', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  const load = vi.fn<() => Promise<{ default: ComponentType }>>(missing);
  const Part = lazyPart(load, true);
  renderWithWords(
    <Suspense>
      <Part />
    </Suspense>,
  );
  // The very moment that it is drawn.
  await new Promise<void>((resolve) => {
    const seen = new MutationObserver(() => {
      if (!screen.queryByText('Please check your network')) return;
      seen.disconnect();
      load.mockResolvedValue({ default: () => <p>tab</p> });
      window.dispatchEvent(new Event('online'));
      resolve();
    });
    seen.observe(document.body, { childList: true, subtree: true });
  });
  expect(await screen.findByText('tab', {}, { timeout: 3000 })).toBeDefined();
});

it.each([
  [
    'the network',
    () => vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch'))),
    /check your network/,
  ],
  ['the service', () => page('', 503), /not available right now/],
])(
  'comes by itself once %s answers again, which no browser tells',
  async (_what, cut, reason) => {
    cut();
    const load = vi.fn<() => Promise<{ default: ComponentType }>>(missing);
    const Part = lazyPart(load, true);
    renderWithWords(
      <Suspense>
        <Part />
      </Suspense>,
    );
    await screen.findByText(reason, {}, { timeout: 3000 });
    load.mockResolvedValue({ default: () => <p>tab</p> });
    page('');
    expect(await screen.findByText('tab', {}, { timeout: 4500 })).toBeDefined();
  },
  10_000,
);

it('of a dialog says so in a notice, which opens it by Retry', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  const load = vi.fn<() => Promise<{ default: ComponentType<{ onClose: () => void }> }>>(missing);
  const Part = lazyPart(load);
  renderWithWords(
    <Suspense>
      <Part onClose={() => {}} />
      <NoticeList />
    </Suspense>,
  );
  const retry = await screen.findByText('Retry', {}, { timeout: 3000 });
  expect(screen.getAllByText('Please check your network').length).toBeGreaterThan(0);
  load.mockResolvedValue({ default: () => <p>dialog</p> });
  await act(() => userEvent.click(retry));
  expect(await screen.findByText('dialog')).toBeDefined();
});

it('says of a dialog that is asked for that it is on its way, and of a closed one nothing', async () => {
  const onItsWay = new Promise<{ default: ComponentType<{ open: boolean; onOpenChange: () => void }> }>(() => {});
  const Part = lazyPart(() => onItsWay);
  const view = (open: boolean) => <Part open={open} onOpenChange={() => {}} />;
  const { rerender } = renderWithWords(view(true));
  expect(await screen.findByText('Loading…')).toBeDefined();
  rerender(view(false));
  expect(screen.queryByText('Loading…')).toBeNull();
});
