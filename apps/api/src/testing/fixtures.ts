import { randomUUID } from 'node:crypto';
import type {
  EdgeBan,
  EdgeChange,
  EdgeClear,
  EdgeFeedEntry,
  EdgeLook,
  EdgeLookResult,
  EdgePrefetch,
  EdgePrefetchReport,
  EdgeRoute,
  EdgeSettings,
  EdgeTest,
  EdgeTestResult,
  Route,
} from '@cordon/contract';
import { findDefinition } from '@cordon/plugins/definitions';
import { expect } from 'vitest';
import { createAccountService } from '../modules/accounts/service.ts';
import { loadBrands, toEdgeBrands } from '../modules/brands/service.ts';
import { createEdgeNodeService } from '../modules/edge-nodes/service.ts';
import { createSubscriptionService } from '../modules/subscriptions/service.ts';
import type { TestApi, TestClient } from './start-api.ts';

export interface Customer {
  readonly accountId: string;
  readonly userId: string;
  readonly email: string;
  readonly token: string;
  readonly client: TestClient;
  /** Of the subscription. */
  readonly cname: string;
  readonly subscriptionId: string;
}

/** A registered customer with a token. */
export async function createCustomer(
  test: TestApi,
  options: { plan?: 'free' | 'vip' | 'vip-enterprise'; email?: string } = {},
): Promise<Customer> {
  const { env, db } = test.api.platform;
  const email = options.email ?? `${randomUUID().slice(0, 8)}@customer.test`;
  const accounts = createAccountService(env, db);
  const made = await accounts.createAccount({ email, plan: options.plan ?? 'free', isEmailVerified: true });
  const token = await test.tokenFor(made.userId);
  const subscription = await createSubscriptionService(env, db).get(made.accountId, { id: made.subscriptionId });
  return { ...made, email, token, client: test.clientFor(token), cname: subscription.cname };
}

/** A public address that nothing listens on, for upstreams that are only written down. */
export const PUBLIC_ADDRESS = '8.8.4.4';
export const upstreamsTo = (host = PUBLIC_ADDRESS, port: number | null = null) => ({
  protocol: 'http' as const,
  targets: [{ host, port, weight: 1, backup: false }],
});

export const uniqueName = (parent = 'example.com'): string => `d${randomUUID().slice(0, 8)}.${parent}`;

/** A domain of the customer that was never deployed. */
export async function createDomain(customer: Customer, name = uniqueName()): Promise<Route> {
  const { result } = await customer.client.createRoute({
    body: { cname: customer.cname, domain_name: name, upstreams: upstreamsTo() },
  });
  return result;
}

/** Waits until `check` answers something, which counts as an assertion; polls, because it has no event to wait for. */
export async function eventually<T>(
  check: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = 30_000,
): Promise<T> {
  const until = Date.now() + timeoutMs;
  let found = await check();
  while (!found && Date.now() <= until) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    found = await check();
  }
  expect(found, 'it did not happen in time').toBeTruthy();
  return found as T;
}

/** What a node runs of the plugins that a domain configures: those that are always on stand beside them. */
export const configuredPlugins = (route: EdgeRoute | undefined): EdgeRoute['plugins'] =>
  (route?.plugins ?? []).filter(({ name }) => findDefinition(name)?.isAlwaysOn !== true);

/** What a node reports of a request of a test attack that nothing stops. */
export const REACHED_ORIGIN: EdgeTestResult = {
  status: 204,
  is_judged: true,
  plugin: '',
  action: '',
  reason: '',
  rule: '',
  request_id: 'a'.repeat(32),
  milliseconds: 1.5,
};

/** What a node says that has nothing stored. */
export const NOTHING_STORED: EdgeLookResult = {
  is_cached: true,
  query: '',
  device: '',
  language: '',
  objects: { br: null, gzip: null, identity: null },
};

/** What a node says of a URL that it has asked for itself. */
export const VISITED: NonNullable<EdgeLookResult['visit']> = {
  ...{ status: 200, cache_status: 'Cordon; fwd=uri-miss; fwd-status=200; stored; ttl=3600' },
  ...{ cache_control: 'max-age=3600', vary: 'Accept-Encoding', age: '', content_type: 'text/css' },
  ...{ content_encoding: 'br', sets_cookie: false, bytes: 900, milliseconds: 12.5 },
};

export interface FakeNode {
  readonly name: string;
  readonly credential: string;
  readonly changes: EdgeChange[];
  readonly routes: Map<string, EdgeRoute>;
  /** Entries of feeds that hold, by feed, scope and network, with when they end. */
  readonly feeds: Map<string, number | null>;
  settings: EdgeSettings | undefined;
  cursor: string;
  /** What it answers about each change; undefined says nothing. */
  probe: (change: EdgeChange) => { ok: boolean; status: number; version: number | null } | null | undefined;
  /** Why it cannot load a change; undefined: it can. */
  refusal: (change: EdgeChange) => string | undefined;
  /** Test attacks that it was asked to run, and what it reports of each; undefined says nothing. */
  readonly tests: EdgeTest[];
  runTest: (test: EdgeTest) => EdgeTestResult[] | undefined;
  /** URLs of which it was asked what it has stored, and what it answers; undefined says nothing. */
  readonly looks: EdgeLook[];
  answerLook: (look: EdgeLook) => EdgeLookResult | undefined | Promise<EdgeLookResult | undefined>;
  /** What it was told to clear; `all` where that was everything. */
  readonly clears: (EdgeClear | 'all')[];
  /** Of the last event of clears. */
  clearsCursor: string;
  /** Whether it reports a clear. */
  reportsClear: (clear: EdgeClear) => boolean;
  /** Events of prefetches that came: parts and ends. */
  readonly prefetches: (EdgePrefetch | { readonly id: string; readonly ended: true })[];
  /** Reports how far it is with prefetches; returns the status. */
  reportPrefetches(reports: readonly EdgePrefetchReport[]): Promise<number>;
  heartbeat(nginx?: 'running' | 'down'): Promise<void>;
  /** True once the server ended the stream. */
  isCut(): boolean;
  /** Reports clients that it has banned; returns the status. */
  ban(bans: readonly EdgeBan[]): Promise<number>;
  stop(): void;
}

/** An agent without nginx: takes the snapshot, follows the stream, reports receipts. */
export async function startFakeNode(
  test: TestApi,
  czones = ['free01', 'free02', 'vip01', 'vip02'],
  options: { addresses?: string[]; clears?: string } = {},
): Promise<FakeNode> {
  const { db, secrets } = test.api.platform;
  const service = createEdgeNodeService(db, secrets, toEdgeBrands(loadBrands({ origin: test.env.origin })));
  const name = `node-${randomUUID().slice(0, 8)}`;
  const { credential } = await service.addNode(db, {
    name,
    czones,
    addresses: options.addresses ?? ['203.0.113.10'],
  });
  const headers = { authorization: `Bearer ${credential}` };
  const post = (path: string, body: unknown) =>
    fetch(`${test.url}/api/v1/${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const end = new AbortController();
  let isCut = false;
  const node: FakeNode = {
    name,
    credential,
    changes: [],
    routes: new Map(),
    feeds: new Map(),
    settings: undefined,
    cursor: '',
    probe: ({ route }) => (route && route.off === undefined ? { ok: true, status: 200, version: route.version } : null),
    refusal: () => undefined,
    tests: [],
    looks: [],
    answerLook: ({ fetch }) => (fetch ? { ...NOTHING_STORED, visit: VISITED } : NOTHING_STORED),
    clears: [],
    clearsCursor: '',
    reportsClear: () => true,
    prefetches: [],
    reportPrefetches: async (results) => (await post('edge/prefetch-results/', { results })).status,
    runTest: ({ requests }) => requests.map(() => REACHED_ORIGIN),
    async heartbeat(nginx = 'running') {
      const response = await post('edge/heartbeat/', {
        agent_version: 'test',
        cursor: node.cursor,
        nginx,
        routes: node.routes.size,
        targets_down: [],
        log_backlog_bytes: 0,
        log_rows_dropped: 0,
      });
      if (!response.ok) throw new Error(`heartbeat answered ${response.status}`);
    },
    isCut: () => isCut,
    ban: async (bans) => (await post('edge/bans/', { bans })).status,
    stop: () => end.abort(),
  };
  const snapshot = (await (await fetch(`${test.url}/api/v1/edge/snapshot/`, { headers })).text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const { cursor, epoch } = snapshot[0] as { cursor: string; epoch: string };
  node.cursor = cursor;
  const applyFeeds = (entries: readonly EdgeFeedEntry[]) => {
    for (const { feed, scope, network, until } of entries) {
      const key = `${feed} ${scope} ${network}`;
      if (until === null || until > Date.now() / 1000) node.feeds.set(key, until);
      else node.feeds.delete(key);
    }
  };
  for (const line of snapshot.slice(1, -1) as (EdgeChange | EdgeFeedEntry)[]) {
    if ('feed' in line) applyFeeds([line]);
    else if (line.route) node.routes.set(line.route_id, line.route);
  }
  await node.heartbeat();

  /** As the agent does, it forgets what it knows of scopes that it no longer serves. */
  const leave = (routeId: string) => {
    const accountId = node.routes.get(routeId)?.account_id;
    node.routes.delete(routeId);
    const isServed = [...node.routes.values()].some((route) => route.account_id === accountId);
    const gone = isServed ? [routeId] : [routeId, accountId];
    for (const key of node.feeds.keys()) if (gone.includes(key.split(' ')[1])) node.feeds.delete(key);
  };

  const apply = async (changes: EdgeChange[]) => {
    const receipts = [];
    for (const change of changes) {
      node.changes.push(change);
      const refusal = node.refusal(change);
      if (refusal !== undefined) {
        const version = node.routes.get(change.route_id)?.version ?? null;
        const { route_id, revision } = change;
        receipts.push({ route_id, revision, version, applied_ms: 1, probe: null, refusal });
        continue;
      }
      if (change.route) node.routes.set(change.route_id, change.route);
      else leave(change.route_id);
      const probe = node.probe(change);
      if (probe !== undefined)
        receipts.push({
          route_id: change.route_id,
          revision: change.revision,
          version: change.route?.off === undefined ? (change.route?.version ?? null) : null,
          applied_ms: 1,
          probe,
        });
    }
    if (receipts.length > 0) await post('edge/receipts/', { receipts });
  };
  const clear = async (event: { cursor?: string; all?: true; clears?: EdgeClear[] }) => {
    const known = new Set(node.clears.map((one) => (one === 'all' ? one : one.id)));
    const clears = (event.clears ?? []).filter(({ id }) => !known.has(id));
    node.clears.push(...(event.all ? (['all'] as const) : []), ...clears);
    node.clearsCursor = event.cursor ?? node.clearsCursor;
    const receipts = clears
      .filter((one) => node.reportsClear(one))
      .map(({ id, age_ms = 0 }) => ({ clear_id: id, milliseconds: age_ms + 1 }));
    if (receipts.length > 0) await post('edge/clear-receipts/', { receipts });
  };
  const clears = options.clears ?? cursor;
  const response = await fetch(`${test.url}/api/v1/edge/stream/?epoch=${epoch}&feeds=${cursor}&clears=${clears}`, {
    headers: { ...headers, 'last-event-id': cursor },
    signal: end.signal,
  });
  if (!response.ok || !response.body) throw new Error(`the stream answered ${response.status}`);
  const read = async (body: ReadableStream<Uint8Array>) => {
    let buffer = '';
    const decoder = new TextDecoder();
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      buffer += decoder.decode(chunk, { stream: true });
      for (let at = buffer.indexOf('\n\n'); at >= 0; at = buffer.indexOf('\n\n')) {
        const message = buffer.slice(0, at);
        buffer = buffer.slice(at + 2);
        const field = (name: string) =>
          message
            .split('\n')
            .find((line) => line.startsWith(`${name}: `))
            ?.slice(name.length + 2);
        if (field('event') === 'settings') node.settings = JSON.parse(field('data') ?? '');
        if (field('event') === 'feeds')
          applyFeeds((JSON.parse(field('data') ?? '') as { entries: EdgeFeedEntry[] }).entries);
        if (field('event') === 'test') {
          const test = JSON.parse(field('data') ?? '') as EdgeTest;
          node.tests.push(test);
          const results = node.runTest(test);
          if (results) await post('edge/test-results/', { id: test.id, results });
        }
        if (field('event') === 'prefetch') node.prefetches.push(JSON.parse(field('data') ?? ''));
        if (field('event') === 'look') {
          const look = JSON.parse(field('data') ?? '') as EdgeLook;
          node.looks.push(look);
          const result = await node.answerLook(look);
          if (result) await post('edge/look-results/', { id: look.id, result });
        }
        if (field('event') === 'clears') await clear(JSON.parse(field('data') ?? ''));
        if (field('event') !== 'routes') continue;
        node.cursor = field('id') ?? node.cursor;
        await apply((JSON.parse(field('data') ?? '') as { changes: EdgeChange[] }).changes);
      }
    }
  };
  read(response.body).then(
    () => {
      isCut = true;
    },
    () => {
      isCut = true;
    },
  );
  await eventually(() => node.settings);
  return node;
}
