// @vitest-environment happy-dom
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { startLiveEvents } from './live-events';

const parts = vi.hoisted(() => ({ queryClient: undefined as unknown as QueryClient }));
vi.mock('./api-client', () => parts);
const session = vi.hoisted(() => ({ token: 'token' as string | undefined, tell: () => {} }));
vi.mock('./session/session', () => ({
  accessToken: () => session.token,
  onTokenChange: (listener: () => void) => {
    session.tell = listener;
  },
}));
vi.mock('./brand', () => ({ getBrand: () => ({ oidc: { realm: 'cordon' } }) }));

/** The API's side of the websocket is outside this program. */
class Socket extends EventTarget {
  static readonly OPEN = 1;
  static readonly opened: Socket[] = [];
  readyState = Socket.OPEN;
  send = vi.fn();
  close = vi.fn();
  constructor() {
    super();
    Socket.opened.push(this);
  }
  answer() {
    this.dispatchEvent(new Event('open'));
    this.dispatchEvent(new MessageEvent('message', { data: '{"type":"ready","last_event_id":"7"}' }));
  }
}

it('asks again for what failed during an outage, and for nothing else, whenever it connects anew and once events arrive; connects anew at once with a session or a network that is back', async () => {
  vi.stubGlobal('WebSocket', Socket);
  vi.useFakeTimers();
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  parts.queryClient = queryClient;
  const failed = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(new Error('gone'))
    .mockRejectedValueOnce(new Error('gone'))
    .mockResolvedValue('rows');
  const fine = vi.fn().mockResolvedValue('rows');
  startLiveEvents();
  Socket.opened[0]?.answer();
  const observers = [
    new QueryObserver(queryClient, { queryKey: ['failed'], queryFn: failed }),
    new QueryObserver(queryClient, { queryKey: ['fine'], queryFn: fine }),
  ];
  const stops = observers.map((observer) => observer.subscribe(() => {}));
  await vi.advanceTimersByTimeAsync(0);
  expect(observers.map((observer) => observer.getCurrentResult().status)).toEqual(['error', 'success']);

  Socket.opened[0]?.dispatchEvent(new Event('close'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(failed).toHaveBeenCalledTimes(2);
  Socket.opened[1]?.answer();
  await vi.advanceTimersByTimeAsync(0);

  expect(observers.map((observer) => observer.getCurrentResult().data)).toEqual(['rows', 'rows']);
  expect(fine).toHaveBeenCalledTimes(1);
  for (const stop of stops) stop();

  // Signed out in another tab: no token to connect with, until the session is back.
  session.token = undefined;
  const { length } = Socket.opened;
  Socket.opened.at(-1)?.dispatchEvent(new Event('close'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(Socket.opened).toHaveLength(length);
  session.token = 'new';
  session.tell();
  expect(Socket.opened).toHaveLength(length + 1);
  Socket.opened.at(-1)?.answer();
  session.tell();
  expect(Socket.opened).toHaveLength(length + 1);
  expect(Socket.opened.at(-1)?.send).toHaveBeenCalledTimes(2);

  // A network that is back is not waited for until the next try, which is up to half a minute away.
  Socket.opened.at(-1)?.dispatchEvent(new Event('close'));
  window.dispatchEvent(new Event('online'));
  expect(Socket.opened).toHaveLength(length + 2);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('reads everything that failed again when one Retry is pressed, each once', async () => {
  vi.stubGlobal('WebSocket', Socket);
  parts.queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  startLiveEvents();
  const calls = ['own', 'other', 'fine'].map((key) => {
    const call = vi.fn<() => Promise<string>>().mockResolvedValue('rows');
    if (key !== 'fine') call.mockRejectedValueOnce(new Error('gone'));
    const observer = new QueryObserver(parts.queryClient, { queryKey: [key], queryFn: call });
    return { call, observer, stop: observer.subscribe(() => {}) };
  });
  const [own] = calls;
  const isRead = (wanted: string[]) =>
    vi.waitFor(() => expect(calls.map(({ observer }) => observer.getCurrentResult().status)).toEqual(wanted));
  await isRead(['error', 'error', 'success']);
  document.body.innerHTML = '<button><i>Save</i></button><button data-retry><i>Retry</i></button>';
  const [save, retry] = document.querySelectorAll('i');
  save?.click();
  expect(calls.map(({ call }) => call.mock.calls.length)).toEqual([1, 1, 1]);
  retry?.closest('button')?.addEventListener('click', () => void own?.observer.refetch());
  retry?.click();
  await isRead(['success', 'success', 'success']);
  expect(calls.map(({ call }) => call.mock.calls.length)).toEqual([2, 2, 1]);
  for (const { stop } of calls) stop();
  vi.unstubAllGlobals();
});
