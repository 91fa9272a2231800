import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { testRoute, testSettings } from '../testing/routes.ts';
import { ControlClient, type ControlListener } from './control-client.ts';
import { log } from './log.ts';

const route = testRoute({ hosts: ['a.test'] });
const change = { route_id: route.id, revision: 7, route };
const entry = { feed: 'bans', scope: route.id, network: '9.9.9.9', until: null };

const eventOf = (event: string, data: unknown, id = '') =>
  `event: ${event}\n${id === '' ? '' : `id: ${id}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

let server: Server;
/** What a stream begins with; it stays open then. */
let stream = '';
/** Cursors that streams were asked for from. */
let asked: unknown[] = [];
let snapshot: readonly unknown[] = [];
let client: ControlClient;
let running: Promise<void> = Promise.resolve();

beforeEach(async () => {
  asked = [];
  server = createServer((request, response) => {
    if (request.url?.includes('/snapshot/')) {
      response.end(snapshot.map((line) => JSON.stringify(line)).join('\n'));
      return;
    }
    asked.push(request.headers['last-event-id']);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(stream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = new ControlClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'credential');
});

afterEach(async () => {
  client.stop();
  server.closeAllConnections();
  server.close();
  await running;
  vi.restoreAllMocks();
});

function follow(listener: Partial<ControlListener>): void {
  running = client.run({
    position: () => ({ epoch: 'e', cursor: '1', feeds: '1' }),
    onSnapshot: () => {},
    onChanges: () => {},
    onFeeds: () => {},
    onSettings: () => {},
    onTest: () => {},
    onResync: () => {},
    ...listener,
  });
}

it('leaves out events that cannot be read, and goes on with what comes behind them', async () => {
  const error = vi.spyOn(log, 'error').mockImplementation(() => {});
  const [onChanges, onFeeds, onSettings, onTest] = [vi.fn(), vi.fn(), vi.fn(), vi.fn()];
  stream = [
    eventOf('routes', null, '2'),
    eventOf('routes', '{"changes":[', '3'),
    eventOf('routes', { changes: change }, '4'),
    eventOf('feeds', null),
    eventOf('feeds', { cursor: { a: 1 }, entries: [entry] }),
    eventOf('feeds', { cursor: '2', entries: entry }),
    eventOf('settings', 'settings'),
    eventOf('test', null),
    eventOf('of_tomorrow', 'no JSON'),
    eventOf('settings', testSettings()),
    eventOf('feeds', { cursor: '5', entries: [entry] }),
    eventOf('routes', { changes: [change] }, '6'),
  ].join('');
  follow({ onChanges, onFeeds, onSettings, onTest });
  await vi.waitFor(() => expect(onChanges).toHaveBeenCalled());
  expect(onChanges.mock.calls).toEqual([['6', [change]]]);
  expect(onFeeds.mock.calls).toEqual([['5', [entry]]]);
  expect(onSettings.mock.calls).toEqual([[testSettings()]]);
  expect(onTest).not.toHaveBeenCalled();
  expect(asked).toEqual(['1']);
  expect(error.mock.calls.map(([, fields]) => [fields?.event, fields?.reason])).toEqual([
    ['routes', expect.stringMatching(/expected object/)],
    ['routes', 'no JSON'],
    ['routes', expect.stringMatching(/^changes: /)],
    ['feeds', expect.stringMatching(/expected object/)],
    ['feeds', expect.stringMatching(/^cursor: /)],
    ['feeds', expect.stringMatching(/^entries: /)],
    ['settings', 'no JSON'],
    ['test', expect.stringMatching(/expected object/)],
  ]);
});

it('waits longer each time before it asks again for an event that it could not handle', async () => {
  const warn = vi.spyOn(log, 'warn').mockImplementation(() => {});
  const onSettings = vi.fn();
  stream = eventOf('settings', testSettings()) + eventOf('routes', { changes: [change] }, '2');
  follow({
    onSettings,
    onChanges: () => {
      throw new Error('no space left');
    },
  });
  await vi.waitFor(() => expect(warn.mock.calls.length).toBeGreaterThanOrEqual(4), { timeout: 20_000 });
  const first = { reason: 'the event routes failed: no space left', retry_ms: 100 };
  expect(warn.mock.calls.slice(0, 4).map(([, fields]) => fields)).toEqual(
    [100, 200, 400, 800].map((retry_ms) => ({ ...first, retry_ms })),
  );
  expect(onSettings.mock.calls.length).toBeGreaterThanOrEqual(4);
});

it('takes no snapshot whose cursor is no text', async () => {
  const warn = vi.spyOn(log, 'warn').mockImplementation(() => {});
  const onSnapshot = vi.fn();
  snapshot = [{ epoch: 'e', cursor: { a: 1 } }, change, { end: true, count: 1 }];
  follow({ position: () => undefined, onSnapshot });
  await vi.waitFor(() => expect(warn).toHaveBeenCalled());
  expect(warn.mock.calls[0]?.[1]?.reason).toMatch(/cursor/);
  snapshot = [{ epoch: 'e', cursor: '1' }, change, { end: true, count: 1 }];
  await vi.waitFor(() => expect(onSnapshot.mock.calls[0]).toEqual(['e', '1', [change], []]), { timeout: 10_000 });
});
