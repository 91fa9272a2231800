// @vitest-environment happy-dom
import { ApiError } from '@cordon/contract';
import { MutationObserver, onlineManager, QueryObserver } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { useWaitingNotices } from '../ui/notices';
import { tellingHere } from '../ui/telling-here';
import { api, queryClient } from './api-client';
import { needCatalogs } from './intl-store';
import { sessionIsKnown } from './session-ready';

// Taken by the client as it is loaded.
const fetched = vi.hoisted(() => {
  const fn = vi.fn();
  vi.stubGlobal('fetch', fn);
  return fn;
});

afterEach(() => onlineManager.setOnline(true));

it('fails a write at once while there is no network, rather than make it when there is one again', async () => {
  onlineManager.setOnline(false);
  const write = new MutationObserver(queryClient, {
    mutationFn: () => Promise.reject(new Error('no network')),
    meta: { isSilent: true },
  });
  await expect(write.mutate()).rejects.toThrow('no network');
});

it('fails a read at once while there is no network, and makes it again when there is one', async () => {
  onlineManager.setOnline(false);
  const queryFn = vi.fn(() =>
    onlineManager.isOnline() ? Promise.resolve('rows') : Promise.reject(new ApiError(0, undefined, undefined, [])),
  );
  const read = new QueryObserver(queryClient, { queryKey: ['read without a network'], queryFn });
  const stop = read.subscribe(() => {});
  queryClient.mount();
  await vi.waitFor(() => expect(read.getCurrentResult().status).toBe('error'), { timeout: 500 });
  expect(queryFn).toHaveBeenCalledTimes(1);
  onlineManager.setOnline(true);
  await vi.waitFor(() => expect(read.getCurrentResult().data).toBe('rows'));
  queryClient.unmount();
  stop();
});

it('says within a second and a half that nothing answers', async () => {
  const queryFn = vi.fn(() => Promise.reject(new ApiError(0, undefined, undefined, [])));
  const read = new QueryObserver(queryClient, { queryKey: ['read that is refused'], queryFn });
  const stop = read.subscribe(() => {});
  await vi.waitFor(() => expect(read.getCurrentResult().status).toBe('error'), { timeout: 1_500 });
  expect(queryFn).toHaveBeenCalledTimes(3);
  stop();
});

it.each([
  ['the API says that it is unavailable', 503, 'UNAVAILABLE', 1],
  ['what stands before the API answers for it', 503, undefined, 3],
] as const)('where %s, a read is tried: %#', async (which, status, code, times) => {
  const body = code && { success: false as const, code, message: '', request_id: '' };
  const queryFn = vi.fn(() => Promise.reject(new ApiError(status, code, body, [])));
  const read = new QueryObserver(queryClient, { queryKey: [which], queryFn });
  const stop = read.subscribe(() => {});
  await vi.waitFor(() => expect(read.getCurrentResult().status).toBe('error'), { timeout: 1_500 });
  expect(queryFn).toHaveBeenCalledTimes(times);
  stop();
});

it('says that a write failed while reads are answered', async () => {
  await needCatalogs('ui', 'errors');
  const write = new MutationObserver(queryClient, {
    mutationFn: () => Promise.reject(new ApiError(0, undefined, undefined, ['Please check your network'])),
  });
  await write.mutate().catch(() => {});
  await queryClient.fetchQuery({ queryKey: ['polled'], queryFn: () => 'a number' });
  const { result } = renderHook(() => useWaitingNotices());
  expect(result.current).toMatchObject([{ tone: 'error', title: 'Please check your network' }]);
});

it('reads everything anew once a write was answered with the answer of before', async () => {
  sessionIsKnown();
  const queryFn = vi.fn(() => 'state');
  await queryClient.fetchQuery({ queryKey: ['what the write changed'], queryFn });
  const stop = new QueryObserver(queryClient, { queryKey: ['what the write changed'], queryFn }).subscribe(() => {});
  const answered = (headers: HeadersInit) =>
    fetched.mockImplementation(async () => Response.json({ success: true, result: {} }, { headers }));
  answered({});
  await api.createGroup({ body: { name: 'a' } });
  expect(queryFn).toHaveBeenCalledTimes(1);
  answered({ 'idempotent-replayed': 'true' });
  await api.createGroup({ body: { name: 'b' } });
  await vi.waitFor(() => expect(queryFn).toHaveBeenCalledTimes(2));
  stop();
});

it('tells why a write failed in the dialog that asked for it, and by a notice what else failed or where that is closed', async () => {
  await needCatalogs('ui', 'errors');
  const { result } = renderHook(useWaitingNotices);
  const said: string[] = [];
  let isOpen = true;
  const here = ({ title }: { title: string }) => {
    if (isOpen) said.push(title);
    return isOpen;
  };
  const failing = (status: number) =>
    new MutationObserver(queryClient, {
      mutationFn: () => Promise.reject(new ApiError(status, undefined, undefined, [])),
    });
  const asked = failing(500);
  const other = failing(400);
  const ofDialog = tellingHere(here, () => asked.mutate());
  const before = result.current.length;
  await Promise.allSettled([ofDialog, other.mutate()]);
  expect(said).toHaveLength(1);
  await vi.waitFor(() => expect(result.current).toHaveLength(before + 1));
  isOpen = false;
  await tellingHere(here, () => failing(503).mutate()).catch(() => {});
  expect(said).toHaveLength(1);
  await vi.waitFor(() => expect(result.current).toHaveLength(before + 2));
});

it('says first what a write has not done, where that is told of it', async () => {
  await needCatalogs('ui', 'errors');
  const { result } = renderHook(useWaitingNotices);
  const write = new MutationObserver(queryClient, {
    mutationFn: () => Promise.reject(new ApiError(0, undefined, undefined, [])),
    meta: { whatFailed: () => 'It may still be on' },
  });
  await write.mutate().catch(() => {});
  await vi.waitFor(() =>
    expect(result.current.at(-1)).toMatchObject({
      title: 'It may still be on',
      description: expect.stringMatching(/network/),
    }),
  );
});

it('makes a write that is pressed twice once, by a key of its own', async () => {
  sessionIsKnown();
  fetched.mockReset().mockImplementation(async () => Response.json({ success: true, result: { id: 'g' } }));
  await Promise.all([1, 2].map(() => api.createGroup({ body: { name: 'Shops' } })));
  await api.createGroup({ body: { name: 'Blogs' } });
  const sent = fetched.mock.calls.map(([, init]) => new Headers(init.headers).get('idempotency-key'));
  expect(sent).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  expect(sent[0]).not.toBe(sent[1]);
});

it('no longer says that a write failed once the same was done', async () => {
  sessionIsKnown();
  await needCatalogs('ui', 'errors');
  const { result } = renderHook(useWaitingNotices);
  const said = () => result.current.filter(({ requestId }) => requestId === 'failed-once');
  const write = new MutationObserver(queryClient, { mutationFn: () => api.createGroup({ body: { name: 'Late' } }) });
  const failure = { success: false, code: 'INTERNAL', message: 'm', request_id: 'failed-once' };
  fetched.mockReset().mockImplementationOnce(async () => Response.json(failure, { status: 500 }));
  await write.mutate().catch(() => {});
  await vi.waitFor(() => expect(said()).toHaveLength(1));
  fetched.mockImplementation(async () => Response.json({ success: true, result: { id: 'g' } }));
  await write.mutate();
  await vi.waitFor(() => expect(said()).toHaveLength(0));
});
