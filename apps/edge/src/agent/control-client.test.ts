import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { testRoute, testSettings } from '../testing/routes.ts';
import { ControlClient, ControlError, type ControlListener } from './control-client.ts';
import { log } from './log.ts';

const SILENCE_MS = 200;
const EPOCH = '00000000-0000-4000-8000-0000000000ee';
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
/** Answers in place of the control plane; false: it is the control plane's turn. */
let answerInstead: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
let client: ControlClient;
let running: Promise<void> = Promise.resolve();

beforeEach(async () => {
  asked = [];
  answerInstead = () => false;
  server = createServer((request, response) => {
    if (answerInstead(request, response)) return;
    if (request.url?.includes('/snapshot/')) {
      response.end(snapshot.map((line) => JSON.stringify(line)).join('\n'));
      return;
    }
    asked.push(request.headers['last-event-id']);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(stream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = new ControlClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'credential', SILENCE_MS);
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
    position: () => ({ epoch: EPOCH, cursor: '1', feeds: '1', clears: '1' }),
    onSnapshot: () => {},
    onChanges: () => {},
    onFeeds: () => {},
    onClears: () => {},
    onSettings: () => {},
    onAlive: () => {},
    onTest: () => {},
    onPrefetch: () => {},
    onLook: () => {},
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

it.each([
  ['a cursor that is no text', { epoch: EPOCH, cursor: { a: 1 } }, /cursor/],
  ['a cursor that no request can have', { epoch: EPOCH, cursor: '\u2603' }, /cursor/],
  ['an epoch that is none', { epoch: 'e'.repeat(100), cursor: '1' }, /epoch/],
])('takes no snapshot with %s', async (_, head, reason) => {
  const warn = vi.spyOn(log, 'warn').mockImplementation(() => {});
  const onSnapshot = vi.fn();
  snapshot = [head, change, { end: true, count: 1 }];
  follow({ position: () => undefined, onSnapshot });
  await vi.waitFor(() => expect(warn).toHaveBeenCalled());
  expect(warn.mock.calls[0]?.[1]?.reason).toMatch(reason);
  snapshot = [{ epoch: EPOCH, cursor: '1' }, change, { end: true, count: 1 }];
  await vi.waitFor(() => expect(onSnapshot.mock.calls[0]).toEqual([EPOCH, '1', [change], []]), { timeout: 10_000 });
});

it('takes changes of an event whose id is no cursor, and goes on from the one before', async () => {
  const onChanges = vi.fn();
  stream = eventOf('routes', { changes: [change] }, '\u2603');
  follow({ onChanges });
  await vi.waitFor(() => expect(onChanges).toHaveBeenCalledWith(undefined, [change]));
});

it('asks for a snapshot where the control plane cannot read the position', async () => {
  vi.spyOn(log, 'warn').mockImplementation(() => {});
  const onResync = vi.fn();
  answerInstead = (_, response) => {
    response.writeHead(422, { 'content-type': 'application/json' }).end('{"success":false,"errors":{}}');
    return true;
  };
  follow({ onResync });
  await vi.waitFor(() => expect(onResync).toHaveBeenCalled());
});

it.each([
  ['a snapshot that stops coming', 'snapshot/', (response: ServerResponse) => response.write('{"epoch":"')],
  [
    'a stream that stops coming',
    'stream/',
    (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': \n\n'),
  ],
])('asks again instead of waiting for %s', async (_, path, begin) => {
  vi.spyOn(log, 'warn').mockImplementation(() => {});
  let times = 0;
  answerInstead = (request, response) => {
    times += 1;
    if (request.url?.includes(path)) begin(response);
    return true;
  };
  follow(path === 'snapshot/' ? { position: () => undefined } : {});
  await vi.waitFor(() => expect(times).toBeGreaterThan(1), { timeout: 10_000 });
});

it.each(['\ufffd[', '['.repeat(100_000), '"text'])(
  'survives a connection that breaks behind a line of the snapshot that cannot be read: %s',
  async (line) => {
    const warn = vi.spyOn(log, 'warn').mockImplementation(() => {});
    answerInstead = (_, response) => {
      response.write(`${JSON.stringify({ epoch: EPOCH, cursor: '1' })}\n${line}\n{"rou`);
      setTimeout(() => response.destroy(), 50);
      return true;
    };
    // An error that nothing listens to ends the test's process, as it would the agent's.
    follow({ position: () => undefined });
    await vi.waitFor(() => expect(warn.mock.calls.length).toBeGreaterThan(1), { timeout: 10_000 });
  },
);

it('leaves out a line of the snapshot that names nothing', async () => {
  const error = vi.spyOn(log, 'error').mockImplementation(() => {});
  const onSnapshot = vi.fn();
  snapshot = [{ epoch: EPOCH, cursor: '1' }, null, 5, change, { end: true, count: 3 }];
  follow({ position: () => undefined, onSnapshot });
  await vi.waitFor(() => expect(onSnapshot).toHaveBeenCalledWith(EPOCH, '1', [change], []));
  expect(error).toHaveBeenCalledWith('a change that names no route is left out', expect.anything());
});

it('takes a page in place of the stream for no connection, and asks ever more rarely', async () => {
  const warn = vi.spyOn(log, 'warn').mockImplementation(() => {});
  answerInstead = (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>');
    return true;
  };
  follow({});
  await vi.waitFor(() => expect(warn.mock.calls.length).toBeGreaterThanOrEqual(3), { timeout: 10_000 });
  expect(warn.mock.calls.slice(0, 3).map(([, fields]) => fields?.retry_ms)).toEqual([100, 200, 400]);
  expect(client.isConnected).toBe(false);
});

it.each([
  [200, 'text/html', '<h1>It works!</h1>', 'something else than the control plane answered 200'],
  [200, 'application/json', '{}', 'something else than the control plane answered 200'],
  [200, 'application/json', '{"success":false}', 'something else than the control plane answered 200'],
  [413, 'text/html', '<h1>Too large</h1>', 'something else than the control plane answered 413'],
  [422, 'application/json', '{"success":false}', 'the control plane answered 422'],
])(
  'takes nothing for done, or refused, but by the control plane itself: %i %s %s',
  async (status, type, body, text) => {
    answerInstead = (_, response) => {
      response.writeHead(status, { 'content-type': type }).end(body);
      return true;
    };
    const failure = await client.post('logs/', '{}').catch((error: unknown) => error);
    expect(String(failure)).toContain(text);
    expect(failure instanceof ControlError).toBe(text.startsWith('the control plane'));
  },
);

it.each([200, 502])('reads no more of an answer %i than one of the control plane may have', async (status) => {
  let sent = 0;
  answerInstead = (_, response) => {
    response.writeHead(status, { 'content-type': 'text/html' });
    const more = () => {
      if (response.destroyed) return;
      sent += 65_536;
      if (response.write(Buffer.alloc(65_536, 'a'))) setImmediate(more);
      else response.once('drain', more);
    };
    more();
    return true;
  };
  await expect(client.post('heartbeat/', '{}')).rejects.toThrow('an answer of more than 1048576 bytes');
  expect(sent).toBeLessThan(64 * 1024 * 1024);
});

it('is done where the control plane says so', async () => {
  answerInstead = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true,"rows":1}');
    return true;
  };
  await expect(client.post('logs/', '{}')).resolves.toBeUndefined();
});
