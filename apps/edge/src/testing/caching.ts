import { request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { definitions } from '@cordon/plugins/definitions';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startOrigin, type TestOrigin } from './origin.ts';
import { testRoute, testTarget, testUpstream } from './routes.ts';
import { startEdge, type TestEdge } from './start-edge.ts';

/**
 * Sequences of requests for one object through the real edge. Each says what the origin answers if it is asked, and whether it has
 * to be asked.
 */

/** A number stands for the date so many seconds from now; several values are several lines. */
export type Fields = Readonly<Record<string, string | number | readonly string[]>>;

export interface ScriptedAnswer {
  /** 200 by default. */
  readonly status?: number;
  /** Or what makes them of the path. */
  readonly fields?: Fields | ((path: string) => Fields);
  /** By default one that no other answer has. */
  readonly body?: string;
  /** Of a 304: what a request without conditions gets. */
  readonly whole?: ScriptedAnswer;
  /** The origin breaks the connection off. */
  readonly isBroken?: boolean;
  /** It does so in the middle of the body. */
  readonly isCut?: boolean;
  readonly delayMs?: number;
  /** Sent before it. */
  readonly interim?: { readonly status: 102 | 103; readonly fields: Fields };
}

/**
 * - `miss`: the origin is asked for the whole answer, which the visitor gets.
 * - `hit`: an earlier answer serves, and the origin is not asked.
 * - `stale`: an earlier answer serves, whether or not the origin is asked.
 * - `by etag`, `by date`: the origin is asked whether the earlier one is still valid, by its ETag or Last-Modified.
 * - `fetched`: so, after it was asked for something else.
 * - `failed`: the visitor gets an error of the edge.
 */
export type Outcome = 'fetched' | 'miss' | 'hit' | 'stale' | 'by etag' | 'by date' | 'failed';

export interface Exchange {
  readonly is: Outcome;
  /** Seconds before it. */
  readonly after?: number;
  /** How many requests for its object the origin has answered before it: of what is fetched in the background. */
  readonly afterAnswers?: number;
  readonly method?: string;
  readonly request?: OutgoingHttpHeaders;
  readonly requestBody?: string;
  /** Of another object of the sequence; empty: its first. */
  readonly suffix?: string;
  /** What the origin answers if it is asked; by default what it answered before. */
  readonly answer?: ScriptedAnswer;
  /** Which exchange of the sequence brought the earlier answer, from 0; by default the last that brought one. */
  readonly from?: number;
  /** By default that of the answer which serves; 0: it breaks off. */
  readonly status?: number;
  readonly body?: string;
  /** In its place. */
  readonly bodyMatches?: RegExp;
  /** Fields that the visitor gets, or undefined for those that he must not get. All of the answer's own are expected without being named. */
  readonly gets?: Readonly<Record<string, string | RegExp | undefined>>;
  /** Fields of the answer that are not looked at. */
  readonly ignores?: readonly string[];
  /** Age that the visitor is told at least. */
  readonly ageMin?: number;
  /** Fields that the origin must get. */
  readonly originGets?: Readonly<Record<string, string | undefined>>;
  readonly cacheStatus?: string | RegExp;
  /** Statuses of the interim answers that the visitor gets. */
  readonly interim?: readonly number[];
}

export interface Sequence {
  /** Named by RFC and section. */
  readonly title: string;
  readonly exchanges: readonly Exchange[];
  /** `plain.test` by default. */
  readonly host?: CachingHost;
  /** What the URL of its first object ends in: an extension, a query. */
  readonly suffix?: string;
}

/** Of answers that stay fresh for a whole sequence, and of those that do not. */
export const FRESH: Fields = { 'Cache-Control': 'max-age=3600' };
export const SHORT: Fields = { 'Cache-Control': 'max-age=2' };
/** When what is asked for was changed last. */
export const CHANGED = 'Tue, 10 Nov 2026 00:00:00 GMT';
/** Seconds that `max-age=2` is fresh for at the most, and in which it is stale, whatever the fraction in which it was made. */
export const STALE_AFTER = 3.1;

/** The origin is asked, and answers with these fields. */
export const miss = (fields: Fields, answer: Pick<ScriptedAnswer, 'body'> = {}): Exchange => ({
  is: 'miss',
  answer: { fields, ...answer },
});

/** Of an origin that finds valid what it is asked about. */
export const validated = (fields: Fields = {}): ScriptedAnswer => ({ status: 304, fields });

interface Asked {
  readonly method: string;
  readonly fields: IncomingHttpHeaders;
}

interface SentAnswer {
  readonly status: number;
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
}

interface Received extends SentAnswer {
  readonly interim: readonly number[];
}

/** nginx puts an answer in its place once the visitor has the last of it. */
const STORING_MS = 250;
/** Not all begin at once: what is fresh for seconds must not have waited for as long. */
const BEGINNING_MS = 8;

/** Directives of requests are obeyed by `obeying.test` (RFC 9111 5.2.1). Those behind them send interim answers, of which the edge learns. */
const HOSTS = ['plain.test', 'obeying.test', 'processing.test', 'hinting.test'] as const;
export type CachingHost = (typeof HOSTS)[number];

/** The configuration of a plugin of the cache, with its defaults. */
export const cachePlugin = (name: string, config: object = {}) => ({
  name,
  config: definitions.find((definition) => definition.name === name)?.schema.parse(config) as Record<string, unknown>,
});

export const httpDate = (seconds: number): string => new Date(Date.now() + seconds * 1000).toUTCString();

function spellFields(fields: Fields): Record<string, string | readonly string[]> {
  const spelled: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(fields))
    spelled[name] = typeof value === 'number' ? httpDate(value) : value;
  return spelled;
}

/** What an origin does with the requests for one URL. */
class ScriptedObject {
  readonly asked: Asked[] = [];
  answer: ScriptedAnswer = {};
  /** By number of the request that it answered. */
  readonly sent: SentAnswer[] = [];
}

/** Fields of the exchange with the origin, which are not the answer's. */
const EXCHANGE_FIELDS = [
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authentication-info', 'proxy-authorization'],
  ...['proxy-connection', 'te', 'transfer-encoding', 'upgrade', 'age', 'content-length', 'cache-tag', 'surrogate-key'],
];

/** One edge and an origin that does what sequences say. */
export class CachingEdge {
  readonly edge: TestEdge;
  readonly #origin: TestOrigin;
  readonly #objects: Map<string, ScriptedObject>;
  #count = 0;

  constructor(edge: TestEdge, origin: TestOrigin, objects: Map<string, ScriptedObject>) {
    this.edge = edge;
    this.#origin = origin;
    this.#objects = objects;
  }

  async stop(): Promise<void> {
    await this.edge.stop();
    await this.#origin.stop();
  }

  /** Carries a sequence out; answers what does not hold, in words. */
  async run({ exchanges, host = 'plain.test', suffix: ownSuffix = '' }: Sequence): Promise<string[]> {
    const path = `/sequence-${++this.#count}`;
    const brought: SentAnswer[] = [];
    const faults: string[] = [];
    let last: ScriptedAnswer = {};
    for (const [index, exchange] of exchanges.entries()) {
      const url = `${path}${exchange.suffix ?? ownSuffix}`;
      const object = this.#objectAt(url);
      const { afterAnswers = 0 } = exchange;
      await vi.waitFor(() => expect(object.sent.length).toBeGreaterThanOrEqual(afterAnswers), { timeout: 20_000 });
      if (index > 0) await delay(Math.max((exchange.after ?? 0) * 1000, STORING_MS));
      last = exchange.answer ?? last;
      object.answer = last;
      const before = object.asked.length;
      const received = await this.#send(host, url, exchange);
      const found: Faults = [];
      const asked = object.asked.slice(before);
      const answered = object.sent[object.sent.length - 1];
      checkAsked(found, exchange, asked);
      const serving = servingOf(exchange, brought[exchange.from ?? index - 1], answered);
      checkReceived(found, exchange, received, serving);
      brought[index] = serving ?? brought[index - 1] ?? { status: 0, fields: {}, body: '' };
      const said = textOf(received.fields['cache-status']);
      faults.push(...found.map((fault) => `exchange ${index} (${said}): ${fault}`));
    }
    return faults;
  }

  #objectAt(url: string): ScriptedObject {
    const known = this.#objects.get(url);
    if (known !== undefined) return known;
    const object = new ScriptedObject();
    this.#objects.set(url, object);
    return object;
  }

  #send(host: string, path: string, { method = 'GET', request = {}, requestBody }: Exchange): Promise<Received> {
    return new Promise((resolve, reject) => {
      const interim: number[] = [];
      const call = httpRequest(
        { host: '127.0.0.1', port: this.edge.httpPort, method, path, headers: { host, ...request }, agent: false },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('error', () => resolve({ status: 0, fields: {}, body: '', interim }));
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              fields: response.headersDistinct as Record<string, string[]>,
              body: Buffer.concat(parts).toString('latin1'),
              interim,
            }),
          );
        },
      );
      call.on('information', ({ statusCode }) => interim.push(statusCode));
      call.on('error', reject);
      call.end(requestBody);
    });
  }
}

/** What does not hold, in words. */
type Faults = string[];

function note(faults: Faults, what: string, got: unknown, expected: string | number | RegExp | undefined): void {
  const holds = expected instanceof RegExp ? expected.test(String(got)) : got === expected;
  if (!holds) faults.push(`${what}: ${String(got)} in place of ${String(expected)}`);
}

function checkAsked(faults: Faults, { is, originGets = {}, request = {} }: Exchange, asked: readonly Asked[]): void {
  const isOnce = is === 'miss' || is === 'by etag' || is === 'by date';
  if (is === 'hit' || isOnce) note(faults, 'requests to the origin', asked.length, isOnce ? 1 : 0);
  const fields = asked[0]?.fields ?? {};
  const isConditional = Object.keys(request).some((name) => name.toLowerCase().startsWith('if-'));
  if (is === 'miss' && !isConditional)
    for (const name of ['if-none-match', 'if-modified-since'] as const) note(faults, name, fields[name], undefined);
  if (is === 'by etag') note(faults, 'If-None-Match', fields['if-none-match'], /"/);
  if (is === 'by date') note(faults, 'If-Modified-Since', fields['if-modified-since'], / GMT$/);
  for (const [name, value] of Object.entries(originGets)) note(faults, `${name} to the origin`, fields[name], value);
}

const textOf = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' || value === undefined ? value : value.join(', ');

/** The answer that has to serve; of a 304, with the fields of what is stored and of the validation (RFC 9111 4.3.4). */
function servingOf(
  { is }: Exchange,
  earlier: SentAnswer | undefined,
  answered: SentAnswer | undefined,
): SentAnswer | undefined {
  if (is === 'failed') return undefined;
  if (is === 'hit' || is === 'stale') return earlier;
  if (is === 'miss' || is === 'fetched' || answered?.status !== 304 || earlier === undefined) return answered;
  return { ...earlier, fields: { ...earlier.fields, ...answered.fields } };
}

/** Fields of the answer as the visitor has to get them; undefined: not at all. */
function expectedFields(
  exchange: Exchange,
  serving: SentAnswer,
  status: number,
): Record<string, string | RegExp | undefined> {
  const expected: Record<string, string | RegExp | undefined> = {};
  for (const [name, value] of Object.entries(serving.fields)) {
    // A 304 need not repeat what describes a body, nor a part what describes the whole.
    const isOfBody = status === 304 && name.startsWith('content-') && name !== 'content-location';
    const isLeftOut = EXCHANGE_FIELDS.includes(name) || exchange.ignores?.includes(name);
    if (!isOfBody && isLeftOut !== true) expected[name] = textOf(value);
  }
  return { ...expected, ...exchange.gets };
}

function checkReceived(faults: Faults, exchange: Exchange, received: Received, serving: SentAnswer | undefined): void {
  const { is, method = 'GET', ageMin, cacheStatus, interim } = exchange;
  const status = exchange.status ?? serving?.status ?? 502;
  note(faults, 'status', received.status, status);
  if (interim !== undefined) note(faults, 'interim answers', received.interim.join(), interim.join());
  const said = textOf(received.fields['cache-status']);
  if (cacheStatus !== undefined) note(faults, 'Cache-Status', said, cacheStatus);
  if (serving === undefined) return;
  const hasBody = method !== 'HEAD' && status !== 304 && status !== 204;
  note(faults, 'body', received.body, hasBody ? (exchange.bodyMatches ?? exchange.body ?? serving.body) : '');
  for (const [name, value] of Object.entries(expectedFields(exchange, serving, status)))
    note(faults, name, textOf(received.fields[name]), value);
  const age = textOf(received.fields.age);
  if (is === 'hit') note(faults, 'Age', age, /^\d+$/);
  if (ageMin !== undefined && !(Number(age) >= ageMin)) faults.push(`Age: ${age} in place of ${ageMin} at least`);
}

export async function startCachingEdge(plugin: string): Promise<CachingEdge> {
  const objects = new Map<string, ScriptedObject>();
  const origin = await startOrigin((request, response) => {
    const object = objects.get(request.url ?? '');
    if (object === undefined) {
      response.end('ready');
      return;
    }
    object.asked.push({ method: request.method ?? '', fields: request.headers });
    const isConditional = request.headers['if-none-match'] ?? request.headers['if-modified-since'];
    const answer = isConditional === undefined ? (object.answer.whole ?? object.answer) : object.answer;
    const number = object.asked.length;
    setTimeout(() => {
      if (answer.isBroken === true) {
        request.socket.destroy();
        return;
      }
      const { status = 200, interim } = answer;
      const hasBody = request.method !== 'HEAD' && status !== 304 && status !== 204;
      const body = answer.body ?? `answer ${number} of ${request.url}`;
      const fields = spellFields({
        Date: 0,
        ...(typeof answer.fields === 'function' ? answer.fields(request.url ?? '') : answer.fields),
      });
      const sent: Record<string, string | readonly string[]> = {};
      for (const [name, value] of Object.entries(fields)) sent[name.toLowerCase()] = value;
      object.sent.push({ status, fields: sent, body: status === 304 || status === 204 ? '' : body });
      const length = hasBody && sent['content-length'] === undefined ? { 'Content-Length': body.length } : {};
      if (interim?.status === 102) response.writeProcessing();
      if (interim?.status === 103) response.writeEarlyHints(spellFields(interim.fields) as Record<string, string>);
      response.writeHead(status, { ...length, ...fields } as OutgoingHttpHeaders);
      if (answer.isCut === true) response.write(body.slice(0, 5), () => request.socket.destroy());
      else response.end(hasBody ? Buffer.from(body, 'latin1') : undefined);
    }, answer.delayMs ?? 0);
  });
  const upstream = testUpstream([testTarget(origin.port)]);
  const routes = HOSTS.map((host) =>
    testRoute({
      hosts: [host],
      upstream,
      plugins: [
        cachePlugin(plugin, {
          // No lifetimes and no staleness but what origins state.
          cache_reusable: false,
          response_code: [],
          enable_cache_control: host === 'obeying.test',
        }),
      ],
    }),
  );
  const edge = await startEdge({ routes });
  return new CachingEdge(edge, origin, objects);
}

/** A test for each sequence, with this plugin of the cache. They wait for seconds, and do so all at once. */
export function testSequences(plugin: string, groups: Readonly<Record<string, readonly Sequence[]>>): void {
  let caching: CachingEdge | undefined;
  const results = new Map<Sequence, Promise<string[]>>();
  beforeAll(async () => {
    const started = await startCachingEdge(plugin);
    caching = started;
    for (const sequence of Object.values(groups).flat()) {
      results.set(sequence, started.run(sequence));
      await delay(BEGINNING_MS);
    }
    await Promise.allSettled(results.values());
  });
  afterAll(() => caching?.stop());
  describe.each(Object.entries(groups))('%s', (_, sequences) => {
    it.each(sequences.map((sequence) => [sequence.title, sequence] as const))('%s', async (__, sequence) => {
      expect(await results.get(sequence)).toEqual([]);
    });
  });
}
