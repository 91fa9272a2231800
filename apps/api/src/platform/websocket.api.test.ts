import { WEBSOCKET_CLOSE, type WebsocketAuth, type WebsocketMessage, websocketMessage } from '@cordon/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import { type Customer, createCustomer, createDomain, eventually } from '../testing/fixtures.ts';
import { startApi, type TestApi } from '../testing/start-api.ts';

let test: TestApi;
let customer: Customer;
const sockets: WebSocket[] = [];
beforeAll(async () => {
  test = await startApi();
  customer = await createCustomer(test, { plan: 'vip' });
});
afterAll(async () => {
  for (const socket of sockets) socket.terminate();
  await test.stop();
});

interface Connection {
  readonly messages: WebsocketMessage[];
  closed: { code: number; reason: string } | undefined;
  send(message: unknown): void;
  close(): void;
}

function connect(
  first: Partial<WebsocketAuth> | string | undefined,
  headers: Record<string, string> = { origin: test.env.origin },
): Promise<Connection> {
  const socket = new WebSocket(`${test.url.replace('http', 'ws')}/api/v1/ws/`, { headers });
  sockets.push(socket);
  const connection: Connection = {
    messages: [],
    closed: undefined,
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    close: () => socket.close(),
  };
  socket.on('message', (data) => connection.messages.push(websocketMessage.parse(JSON.parse(String(data)))));
  socket.on('close', (code, reason) => {
    connection.closed = { code, reason: String(reason) };
  });
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('open', () => {
      if (first !== undefined) connection.send(first);
      resolve(connection);
    });
  });
}
const auth = (token: string, more: Partial<WebsocketAuth> = {}): WebsocketAuth => ({
  type: 'auth',
  token,
  realm: test.env.realm,
  ...more,
});
const ready = (connection: Connection) =>
  eventually(() => connection.messages.find((message) => message.type === 'ready'));
const eventsOf = (connection: Connection, id: string) =>
  connection.messages.filter((message) => message.type === 'event' && message.id === id);

describe('the websocket', () => {
  it("tells the account's own events only", async () => {
    const otherCustomer = await createCustomer(test);
    const [mine, theirs] = await Promise.all([connect(auth(customer.token)), connect(auth(otherCustomer.token))]);
    await Promise.all([ready(mine), ready(theirs)]);
    const route = await createDomain(customer);
    await customer.client.deployRoute({ params: { id: route.id }, ifMatch: 1, body: {} });
    await eventually(() => eventsOf(mine, route.id).length >= 2);
    expect(eventsOf(mine, route.id).at(-1)).toMatchObject({
      slot: 'domain',
      status: 'running',
      operation: { action: 'deploy', state: 'running' },
    });
    const other = await createDomain(otherCustomer);
    await eventually(() => eventsOf(theirs, other.id).length > 0);
    expect(eventsOf(theirs, route.id)).toEqual([]);
  });

  it('catches up after the last event that was seen', async () => {
    const first = await connect(auth(customer.token));
    const { last_event_id } = (await ready(first)) as { last_event_id: string };
    first.close();
    const routes = [await createDomain(customer), await createDomain(customer)];
    const second = await connect(auth(customer.token, { last_event_id }));
    await eventually(() => routes.every(({ id }) => eventsOf(second, id).length > 0));
    const ids = second.messages.flatMap((message) => (message.type === 'event' ? [Number(message.event_id)] : []));
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  });

  it('says when what was missed is no longer kept', async () => {
    const first = await connect(auth(customer.token));
    const { last_event_id } = (await ready(first)) as { last_event_id: string };
    first.close();
    await createDomain(customer);
    await test.api.platform.pool.query('DELETE FROM events');
    await createDomain(customer);
    const second = await connect(auth(customer.token, { last_event_id }));
    await eventually(() => second.messages.some((message) => message.type === 'resync'));
  });

  it('wants a valid token first, of the right realm', async () => {
    const otherCustomer = await createCustomer(test);
    for (const [first, code] of [
      [auth('x'), WEBSOCKET_CLOSE.unauthenticated],
      [auth(await test.tokenFor(customer.userId, { expiresIn: '-1m' })), WEBSOCKET_CLOSE.unauthenticated],
      [{ ...auth(customer.token), realm: 'other' }, WEBSOCKET_CLOSE.unauthenticated],
      ['{', WEBSOCKET_CLOSE.malformed],
      [{ type: 'auth' } as never, WEBSOCKET_CLOSE.malformed],
    ] as const) {
      const connection = await connect(first);
      expect((await eventually(() => connection.closed)).code).toBe(code);
      expect(connection.messages).toEqual([]);
    }
    const open = await connect(auth(customer.token));
    await ready(open);
    open.send(auth(otherCustomer.token));
    expect((await eventually(() => open.closed)).code).toBe(WEBSOCKET_CLOSE.forbidden);
  });

  it('hears nothing more of who was sent away, and keeps no queue of tokens', async () => {
    const authenticate = vi.spyOn(test.api.platform.authenticator, 'authenticateUser');
    try {
      const connection = await connect('no JSON');
      for (let sent = 0; sent < 20; sent += 1) connection.send(auth(customer.token));
      await eventually(() => connection.closed);
      expect(connection.closed?.code).toBe(WEBSOCKET_CLOSE.malformed);
      expect(authenticate).not.toHaveBeenCalled();

      const hasty = await connect(undefined);
      for (let sent = 0; sent < 100; sent += 1) hasty.send(auth(customer.token));
      await eventually(() => hasty.closed);
      expect(hasty.closed?.reason).toBe('TOO_MANY_REQUESTS');
      expect(authenticate.mock.calls.length).toBeLessThan(10);
    } finally {
      authenticate.mockRestore();
    }
  });

  it('is open to an address of which many say nothing: the oldest of these are ended', async () => {
    const silent: Connection[] = [];
    for (let opened = 0; opened < 60; opened += 1) silent.push(await connect(undefined));
    await eventually(() => silent.slice(0, 10).every(({ closed }) => closed));
    expect(silent.slice(10).filter(({ closed }) => closed)).toEqual([]);
    await ready(await connect(auth(customer.token)));
    for (const socket of silent) socket.close();
    await eventually(() => silent.every((socket) => socket.closed));
  });

  it('is refused to an address while very many of its tokens are checked', async () => {
    const { authenticator } = test.api.platform;
    let check: () => void = () => {};
    const checked = new Promise<void>((resolve) => {
      check = resolve;
    });
    const authenticate = vi.spyOn(authenticator, 'authenticateUser').mockImplementation(async () => {
      await checked;
      throw new Error('not checked');
    });
    try {
      const asking = await Promise.all(Array.from({ length: 50 }, () => connect(auth(customer.token))));
      await eventually(() => authenticate.mock.calls.length === 50);
      await expect(connect(auth(customer.token))).rejects.toThrow('429');
      check();
      await eventually(() => asking.every(({ closed }) => closed));
    } finally {
      authenticate.mockRestore();
    }
    await ready(await connect(auth(customer.token)));
  });

  it('is not opened from a foreign page', async () => {
    await expect(connect(undefined, { origin: 'https://evil.example.com' })).rejects.toThrow(/403/);
  });

  it('ends with its token and with the account', async () => {
    const brief = await connect(auth(await test.tokenFor(customer.userId, { expiresIn: '2s' })));
    await ready(brief);
    const other = await createCustomer(test);
    const suspended = await connect(auth(other.token));
    await ready(suspended);
    await test.api.platform.db
      .updateTable('accounts')
      .set({ suspended_at: new Date() })
      .where('id', '=', other.accountId)
      .execute();
    expect((await eventually(() => suspended.closed, 12_000)).code).toBe(WEBSOCKET_CLOSE.forbidden);
    expect((await eventually(() => brief.closed, 12_000)).code).toBe(WEBSOCKET_CLOSE.unauthenticated);
  });
});
