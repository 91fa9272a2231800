// @vitest-environment happy-dom

import { ApiError } from '@cordon/contract';
import { QueryClient, QueryClientProvider, QueryObserver } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { IntlProvider } from 'use-intl';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import pages from '../../locales/en/pages.json';
import ui from '../../locales/en/ui.json';
import { setScreenMissing } from '../../ui/away';
import StatusLines from './status-lines';

const session = vi.hoisted(() => ({ status: 'signed-in', isOnline: true }));
vi.mock('../session/session', () => ({ getSession: () => session }));
vi.mock('../live-events', () => ({ useOnline: () => session.isOnline, useLiveStatus: () => 'down' }));
vi.mock('../deployment-config', () => ({
  deploymentConfigOptions: { queryKey: ['deployment-config'], queryFn: async () => ({ absent_parts: [] }) },
}));

it.each([
  ['signed-in', 1],
  // The screen itself says who has signed out.
  ['ended', 0],
])('where updates do not arrive, %s, says so %s times', (status, times) => {
  session.status = status;
  render(
    <IntlProvider locale="en" timeZone="UTC" messages={{ pages } as never}>
      <QueryClientProvider client={new QueryClient()}>
        <StatusLines />
      </QueryClientProvider>
    </IntlProvider>,
  );
  expect(screen.queryAllByText('Live updates are interrupted.')).toHaveLength(times);
});

it('says of what the screen has nothing of that it is awaited, once that takes long, and asks anew by Retry', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  session.status = 'ended';
  const client = new QueryClient();
  const queryFn = vi.fn<() => Promise<string>>().mockReturnValueOnce(new Promise(() => {}));
  queryFn.mockResolvedValue('rows');
  const slow = vi.fn(() => new Promise<string>(() => {}));
  const leave = [
    new QueryObserver(client, { queryKey: ['rows'], queryFn }).subscribe(() => {}),
    // Shows the rows of before meanwhile.
    new QueryObserver(client, { queryKey: ['search'], queryFn: slow, placeholderData: 'before' }).subscribe(() => {}),
  ];
  onTestFinished(() => {
    for (const one of leave) one();
  });
  render(
    <IntlProvider locale="en" timeZone="UTC" messages={{ pages, ui } as never}>
      <QueryClientProvider client={client}>
        <StatusLines />
      </QueryClientProvider>
    </IntlProvider>,
  );
  await act(() => vi.advanceTimersByTimeAsync(9_000));
  expect(screen.queryByText(/^Still waiting/)).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(1_500));
  screen.getByText('Still waiting for an answer. Your sites are not affected.');
  screen.getByRole('button', { name: 'Retry' }).click();
  await waitFor(() => expect(screen.queryByText(/^Still waiting/)).toBeNull());
  expect(queryFn).toHaveBeenCalledTimes(2);
  expect(slow).toHaveBeenCalledTimes(1);
});

it('says aloud that nothing answers where the file of a screen did not come, of which no data can say so', async () => {
  session.status = 'signed-in';
  render(
    <IntlProvider locale="en" timeZone="UTC" messages={{ pages, ui } as never}>
      <QueryClientProvider client={new QueryClient()}>
        <StatusLines />
      </QueryClientProvider>
    </IntlProvider>,
  );
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  act(() => setScreenMissing(true));
  onTestFinished(() => act(() => setScreenMissing(false)));
  screen.getByRole('button', { name: 'Retry' });
  expect(screen.queryByText('Live updates are interrupted.')).toBeNull();
});

describe('without a network', () => {
  const client = new QueryClient();
  const list = (key: string, queryFn: () => Promise<string>, meta = {}) =>
    new QueryObserver(client, { queryKey: [key], queryFn, meta, retry: false }).subscribe(() => {});
  const page = () => (
    <IntlProvider locale="en" timeZone="UTC" messages={{ pages, ui } as never}>
      <QueryClientProvider client={client}>
        <main />
        <StatusLines />
      </QueryClientProvider>
    </IntlProvider>
  );
  const show = () => render(page());
  beforeEach(() => {
    client.clear();
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-26T12:00:00Z') });
    session.isOnline = false;
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    session.isOnline = true;
  });

  it('tells of when the oldest of what is shown is: what was watched, of now; what is opened later, of when it was read', async () => {
    client.setQueryData(['before'], 'rows', { updatedAt: new Date('2026-11-26T11:20:00Z').getTime() });
    client.setQueryData(['watched'], 'rows', { updatedAt: new Date('2026-11-26T11:10:00Z').getTime() });
    const leave = list('watched', () => Promise.reject(new Error()));
    client.setQueryData(['watched'], 'rows', { updatedAt: new Date('2026-11-26T11:10:00Z').getTime() });
    show();
    screen.getByText('Offline · data as of 12:00.');
    screen.getByText('Changes cannot be saved now.');
    const leaveBefore = list('before', () => Promise.reject(new Error()));
    expect(await screen.findByText('Offline · data as of 11:20.')).toBeDefined();
    expect(document.querySelector('main')?.style.filter).not.toBe('');
    leave();
    leaveBefore();
  });

  it('tells no time where nothing is shown, whatever the shell itself has read', async () => {
    const leave = [list('me', async () => 'Ada'), list('list', () => Promise.reject(new Error()))];
    show();
    await screen.findByText('Offline.');
    screen.getByText('Please check your network');
    expect(document.querySelector('main')?.style.filter).toBe('');
    for (const one of leave) one();
  });

  it('tells the time of what the shell has read where the screen shows it as its own', async () => {
    client.setQueryData(['me'], 'Ada', { updatedAt: new Date('2026-11-26T11:30:00Z').getTime() });
    show();
    screen.getByText('Offline.');
    const leave = list('me', () => Promise.reject(new Error()), { isOfScreen: true });
    expect(await screen.findByText('Offline · data as of 11:30.')).toBeDefined();
    leave();
  });

  it('looks on Retry whether there is a network, and says so if there is still none', async () => {
    const fetched = vi.fn(() => Promise.reject(new Error()));
    vi.stubGlobal('fetch', fetched);
    const online = vi.fn();
    window.addEventListener('online', online);
    show();
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await screen.findByText('Still offline.');
    expect(online).not.toHaveBeenCalled();
    vi.stubGlobal('fetch', async () => new Response(''));
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await vi.waitFor(() => expect(online).toHaveBeenCalled());
    window.removeEventListener('online', online);
  });

  it('says no longer that nothing answers as soon as there is a network', async () => {
    session.status = 'signed-in';
    const leave = list('list', () => Promise.reject(new ApiError(0, undefined, undefined, ['Request error'])));
    const { rerender } = show();
    await screen.findByText('Offline.');
    vi.setSystemTime(new Date('2026-11-26T12:00:09Z'));
    session.isOnline = true;
    rerender(page());
    expect(await screen.findByText('Live updates are interrupted.')).toBeDefined();
    leave();
  });

  it('says the same where there is a network but nothing answers', async () => {
    session.isOnline = true;
    session.status = 'signed-in';
    const leave = list('list', () => Promise.reject(new ApiError(0, undefined, undefined, ['Request error'])));
    show();
    await screen.findByText('No answer.');
    leave();
    expect(await screen.findByText('Live updates are interrupted.')).toBeDefined();
  });
});
