import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { edgeNodeOperations } from '@cordon/contract';
import type {
  AccessLogRow,
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
} from '@cordon/contract/edge-config';

export const TEST_CREDENTIAL = 'node-credential-of-the-tests';

/** What the edge reports of a deploy. */
export interface ReceivedReceipt {
  readonly route_id: string;
  readonly revision: number;
  readonly version: number | null;
  readonly applied_ms: number;
  readonly probe: { readonly ok: boolean; readonly status: number; readonly version: number | null } | null;
  readonly refusal?: string;
  /** When it arrived, by performance.now(). */
  readonly receivedAt: number;
}

/** A control plane that speaks the edge control protocol over real HTTP and keeps everything in memory. */
export class ControlPlane {
  readonly rows: AccessLogRow[] = [];
  readonly batches = new Map<string, number>();
  /** Batches that came again after they had been taken. */
  readonly repeated: string[] = [];
  readonly receipts: ReceivedReceipt[] = [];
  readonly heartbeats: unknown[] = [];
  readonly bans: EdgeBan[] = [];
  readonly lookResults = new Map<string, EdgeLookResult>();
  readonly testResults = new Map<string, readonly EdgeTestResult[]>();
  /** Milliseconds of the clears that hold on the edge. */
  readonly clearReceipts = new Map<string, number>();
  /** Cursors of clears that streams were asked for from. */
  readonly clearCursors: string[] = [];
  refusesClearReceipts = false;
  /** Reports of prefetches, the newest last, with when they came. */
  readonly prefetchReports: (EdgePrefetchReport & { readonly receivedAt: number })[] = [];
  readonly #clears: { readonly cursor: number; readonly clear: EdgeClear }[] = [];
  readonly #feeds = new Map<string, EdgeFeedEntry>();
  snapshots = 0;
  /** Log batches are stored, but the answer never arrives: as when the API dies in between. */
  losesLogAnswers = false;
  refusesLogs = false;
  refusesReceipts = false;
  refusesSnapshots = false;
  /** Snapshots that were asked for and refused. */
  refusedSnapshots = 0;
  epoch = randomUUID();
  #server: Server | undefined;
  #port = 0;
  #cursor = 1;
  #revision = 1;
  readonly #state = new Map<string, EdgeChange>();
  readonly #history: { cursor: number; change: EdgeChange }[] = [];
  readonly #streams = new Set<ServerResponse>();
  #waiters: (() => void)[] = [];
  settings: EdgeSettings;

  constructor(settings: EdgeSettings) {
    this.settings = settings;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => this.#server?.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** As if killed: connections break at once. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    this.#streams.clear();
    server?.closeAllConnections();
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  }

  /** Deploys (or, with null, removes) a route and sends it to the edge at once. Returns the revision. */
  push(routeId: string, route: EdgeRoute | null): number {
    return this.pushTogether(routeId, [route]);
  }

  /** The same of several versions, with one event. Returns the last revision. */
  pushTogether(routeId: string, versions: readonly (EdgeRoute | null)[]): number {
    this.#cursor++;
    const changes = versions.map((route): EdgeChange => ({ route_id: routeId, revision: ++this.#revision, route }));
    for (const change of changes) {
      this.#state.set(routeId, change);
      this.#history.push({ cursor: this.#cursor, change });
    }
    this.#emit('routes', { changes }, this.#cursor);
    return this.#revision;
  }

  /** Changes entries of feeds and sends them to the edge at once. */
  pushFeeds(entries: readonly EdgeFeedEntry[]): void {
    this.#cursor++;
    for (const entry of entries) this.#feeds.set(`${entry.feed} ${entry.scope} ${entry.network}`, entry);
    this.#emit('feeds', { cursor: String(this.#cursor), entries });
  }

  /** Forgets entries of a network and sends nothing: only the next snapshot is without them. */
  dropFeed(network: string): void {
    for (const [key, entry] of this.#feeds) if (entry.network === network) this.#feeds.delete(key);
  }

  /** Has the edge clear what it has stored of a route; answers the id that its receipt has (`cleared`). */
  clear(routeId: string, kind: EdgeClear['kind'] = 'all', values: readonly string[] = [], soft = false): string {
    const clear: EdgeClear = { id: randomUUID(), route_id: routeId, kind, values: [...values], soft };
    this.#cursor++;
    this.#clears.push({ cursor: this.#cursor, clear });
    this.#emit('clears', { cursor: String(this.#cursor), clears: [clear] });
    return clear.id;
  }

  /** One that other edges get too, resolved once this one has reported that it holds. */
  async clearAs(clear: EdgeClear): Promise<void> {
    this.#cursor++;
    this.#clears.push({ cursor: this.#cursor, clear });
    this.#emit('clears', { cursor: String(this.#cursor), clears: [clear] });
    await this.until(() => this.clearReceipts.has(clear.id), 'the receipt of a clear');
  }

  /** The same, resolved once the edge has reported that it holds. */
  async cleared(
    routeId: string,
    kind: EdgeClear['kind'] = 'all',
    values: readonly string[] = [],
    soft = false,
  ): Promise<void> {
    const id = this.clear(routeId, kind, values, soft);
    await this.until(() => this.clearReceipts.has(id), 'the receipt of a clear');
  }

  setSettings(settings: EdgeSettings): void {
    this.settings = settings;
    this.#emit('settings', settings);
  }

  /** Asks the edge what it has stored of a URL. */
  async look(look: Omit<EdgeLook, 'id'>): Promise<EdgeLookResult> {
    const id = randomUUID();
    this.#emit('look', { id, ...look });
    await this.until(() => this.lookResults.has(id), 'what is stored of a URL');
    return this.lookResults.get(id) as EdgeLookResult;
  }

  /** Has the edge run a test attack; what it reports. */
  async runTest(test: Omit<EdgeTest, 'id'>): Promise<readonly EdgeTestResult[]> {
    const id = randomUUID();
    this.#emit('test', { id, ...test });
    await this.until(() => this.testResults.has(id), 'the results of a test attack');
    return this.testResults.get(id) ?? [];
  }

  /** Has the edge fetch URLs into its cache; answers the id that its reports have. */
  prefetch(part: Partial<EdgePrefetch> & Pick<EdgePrefetch, 'route_id' | 'urls'>): string {
    const id = part.id ?? randomUUID();
    const all = { part: 0, parts: 1, refresh: false, hosts: [], devices: [], languages: [], ...part, id };
    this.#emit('prefetch', all);
    return id;
  }

  endPrefetch(id: string): void {
    this.#emit('prefetch', { id, ended: true });
  }

  /** What the edge reports once it is over. */
  async prefetched(id: string, milliseconds?: number): Promise<EdgePrefetchReport> {
    const isOver = (one: EdgePrefetchReport) => one.id === id && one.state !== 'running';
    await this.until(() => this.prefetchReports.some(isOver), 'the end of a prefetch', milliseconds);
    const problems = this.prefetchReports.findLast((one) => one.id === id && one.problems)?.problems ?? [];
    const { receivedAt: _, ...last } = this.prefetchReports.find(isOver) as (typeof this.prefetchReports)[number];
    return { ...last, problems };
  }

  /** Another database: cursors and revisions begin again, and edges must take a new snapshot. */
  forgetHistory(): void {
    this.epoch = randomUUID();
    this.#history.length = 0;
    this.#revision = 1;
    for (const [id, change] of this.#state) this.#state.set(id, { ...change, revision: 1 });
    this.#emit('resync', {});
  }

  /** A backup from before some routes were deployed is restored: same epoch, lower cursors and revisions. */
  restoreBackup(without: readonly string[]): void {
    for (const id of without) this.#state.delete(id);
    this.#history.length = 0;
    this.#revision = 1;
    for (const [id, change] of this.#state) this.#state.set(id, { ...change, revision: 1 });
    this.#emit('resync', {});
  }

  #emit(event: string, data: unknown, id?: number): void {
    for (const stream of this.#streams) this.#write(stream, event, data, id);
  }

  #write(stream: ServerResponse, event: string, data: unknown, id?: number): void {
    stream.write(`event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`);
  }

  /** Resolves once `condition` holds, looked at whenever the edge has sent something. */
  async until(condition: () => boolean, what: string, milliseconds = 25_000): Promise<void> {
    const deadline = Date.now() + milliseconds;
    while (!condition()) {
      const rest = deadline - Date.now();
      if (rest <= 0) throw new Error(`Waited ${milliseconds} ms in vain for ${what}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(rest, 100));
        this.#waiters.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  /** Row of a request, once the edge has sent it. */
  async row(matches: (row: AccessLogRow) => boolean, what = 'a row of the access log'): Promise<AccessLogRow> {
    await this.until(() => this.rows.some(matches), what);
    return this.rows.find(matches) as AccessLogRow;
  }

  #notify(): void {
    for (const waiter of this.#waiters.splice(0)) waiter();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://control');
    if (request.headers.authorization !== `Bearer ${TEST_CREDENTIAL}`) return void response.writeHead(401).end();
    const path = url.pathname.replace('/api/v1/edge/', '');
    if (path === 'snapshot/') return this.#sendSnapshot(response);
    if (path === 'stream/') return this.#openStream(request, url, response);
    const body = await readBody(request);
    if (path === 'receipts/') {
      if (this.refusesReceipts) return void response.writeHead(503).end();
      const { receipts } = JSON.parse(body) as { receipts: Omit<ReceivedReceipt, 'receivedAt'>[] };
      for (const receipt of receipts) this.receipts.push({ ...receipt, receivedAt: performance.now() });
    } else if (path === 'heartbeat/') {
      this.heartbeats.push(JSON.parse(body));
    } else if (path === 'bans/') {
      this.bans.push(...(JSON.parse(body) as { bans: EdgeBan[] }).bans);
    } else if (path === 'clear-receipts/') {
      if (this.refusesClearReceipts) return void response.writeHead(503).end();
      const { receipts } = JSON.parse(body) as { receipts: { clear_id: string; milliseconds: number }[] };
      for (const { clear_id, milliseconds } of receipts) this.clearReceipts.set(clear_id, milliseconds);
    } else if (path === 'prefetch-results/') {
      const { results } = JSON.parse(body) as { results: EdgePrefetchReport[] };
      this.prefetchReports.push(...results.map((one) => ({ ...one, receivedAt: performance.now() })));
    } else if (path === 'look-results/') {
      const { id, result } = edgeNodeOperations.postEdgeLookResults.body.parse(JSON.parse(body));
      this.lookResults.set(id, result);
    } else if (path === 'test-results/') {
      const { id, results } = JSON.parse(body) as { id: string; results: EdgeTestResult[] };
      this.testResults.set(id, results);
    } else if (path === 'logs/') {
      if (this.refusesLogs) return void response.writeHead(503).end();
      this.#takeLogs(url.searchParams.get('batch') ?? '', body);
      if (this.losesLogAnswers) return void request.socket.destroy();
    } else {
      return void response.writeHead(404).end();
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true}');
    this.#notify();
    return undefined;
  }

  #takeLogs(batch: string, body: string): void {
    const rows = body.split('\n').filter((line) => line !== '');
    if (this.batches.has(batch)) {
      this.repeated.push(batch);
    } else {
      this.batches.set(batch, rows.length);
      for (const row of rows) this.rows.push(JSON.parse(row) as AccessLogRow);
    }
    this.#notify();
  }

  #sendSnapshot(response: ServerResponse): void {
    if (this.refusesSnapshots) {
      this.refusedSnapshots++;
      response.writeHead(503).end();
      this.#notify();
      return;
    }
    this.snapshots++;
    const routes = [...this.#state.values()].filter(({ route }) => route !== null);
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.write(`${JSON.stringify({ cursor: String(this.#cursor), epoch: this.epoch })}\n`);
    for (const change of routes) response.write(`${JSON.stringify(change)}\n`);
    for (const entry of this.#feeds.values()) response.write(`${JSON.stringify(entry)}\n`);
    response.end(`${JSON.stringify({ end: true, count: routes.length + this.#feeds.size })}\n`);
  }

  #openStream(request: IncomingMessage, url: URL, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    if (url.searchParams.get('epoch') !== this.epoch) {
      this.#write(response, 'resync', {});
      return;
    }
    this.#streams.add(response);
    const heart = setInterval(() => this.#write(response, 'alive', {}), 1000);
    request.socket.once('close', () => {
      clearInterval(heart);
      this.#streams.delete(response);
    });
    this.#write(response, 'settings', this.settings);
    const since = Number(request.headers['last-event-id'] ?? 0);
    // All of them once more: the edge takes the newest.
    const entries = [...this.#feeds.values()];
    if (entries.length > 0) this.#write(response, 'feeds', { cursor: String(this.#cursor), entries });
    const cleared = url.searchParams.get('clears') ?? '0';
    this.clearCursors.push(cleared);
    const clears = this.#clears.filter(({ cursor }) => cursor > Number(cleared)).map(({ clear }) => clear);
    const isUnknown = cleared === '0' || Number(cleared) > this.#cursor;
    if (isUnknown) this.#write(response, 'clears', { cursor: String(this.#cursor), all: true });
    else if (clears.length > 0) this.#write(response, 'clears', { cursor: String(this.#cursor), clears });
    for (const { cursor, change } of this.#history) {
      if (cursor >= since) this.#write(response, 'routes', { changes: [change] }, cursor);
    }
    this.#write(response, 'alive', {});
    this.#notify();
  }

  get streams(): number {
    return this.#streams.size;
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const body = Buffer.concat(parts);
  return (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
}
