import type {
  Address,
  AddressSet,
  ChallengeWay,
  CrawlerName,
  EdgeRequest,
  FeedEntry,
  Pattern,
  PossibleValues,
  RunContext,
} from '@cordon/plugin-kit/edge';
import { decodeForm } from '@cordon/plugin-kit/form-encoding';
import { indexArguments, indexCookies, type NamedIndex } from '@cordon/plugin-kit/named-values';
import { type NamedValues, readArguments, readCookies, valuesOf } from '@cordon/plugin-kit/request-fields';
import { hasOneReading, readingsOfPath } from '@cordon/plugin-kit/request-path';
import {
  beginWork,
  createRequestWork,
  matchesAnyWithin,
  matchesWithin,
  possibleWithin,
  type RequestWork,
  spendOn,
} from '@cordon/plugin-kit/request-work';
import {
  type Counters,
  countInWindow,
  createWindowMemory,
  forgetWindow,
  markKey,
} from '@cordon/plugin-kit/window-count';
import { cookieOfWay, findProof } from './challenge.ts';
import { addressOf } from './client-address.ts';
import { isPossibleCrawler, verifyCrawler } from './crawlers.ts';
import { findInFeed } from './feeds.ts';
import { matchAgain } from './known-matches.ts';
import { noteStepsWithoutEffect, stepsWithoutEffect } from './known-requests.ts';
import { hmacSha256Hex, isEqualSecret } from './native.ts';
import { clientKey, tagIn } from './network-key.ts';
import type { PreparedRoute } from './prepared-route.ts';
import { readHeader, readHeaderValues, readScannedAgents, readScannedCookie } from './request-headers.ts';
import { readHost, readPath, readPeer, readTarget } from './request-parts.ts';
import { noteSteps, stepsOfNext } from './work-share.ts';

type LazyRequest = { -readonly [Key in keyof EdgeRequest]: EdgeRequest[Key] } & {
  /** The target as it was sent, where the decision has read it; else empty. */
  target: string;
  /** The client is who has connected: nobody stands between, or in its place. */
  isPeer: boolean;
};

/** The visitor's path before nginx decoded it. It is empty where the request names a host and nothing after it. */
function rawPathOf(target: string): string {
  const [query] = string.find(target, '?', 1, true);
  const beforeQuery = query === undefined ? target : string.sub(target, 1, query - 1);
  const [fragment] = string.find(beforeQuery, '#', 1, true);
  const path = fragment === undefined ? beforeQuery : string.sub(beforeQuery, 1, fragment - 1);
  return path === '' ? '/' : path;
}

/** Reads a field of the request from nginx when a plugin first asks for it: most plugins ask for one or two. */
const readers: { readonly [Key in keyof EdgeRequest]: (this: void, request: LazyRequest) => EdgeRequest[Key] } = {
  method: () => ngx.req.get_method(),
  path: readPath,
  rawPath: ({ target }) => rawPathOf(target === '' ? readTarget() : target),
  query: () => ngx.var.args ?? '',
  host: readHost,
  scheme: () => ngx.var.scheme as EdgeRequest['scheme'],
  country: () => ngx.var.cordon_country ?? '',
  asn: () => tonumber(ngx.var.cordon_asn) ?? 0,
  clientAddressText: ({ isPeer }) => (isPeer ? readPeer() : (ngx.var.cordon_client as string)),
  clientAddress: (request) => addressOf(request.clientAddressText),
};

function readField(this: void, request: LazyRequest, key: keyof EdgeRequest): unknown {
  const value = readers[key](request);
  rawset(request, key, value as string);
  return value;
}

const lazyRequest = { __index: readField };

type Proofs = Partial<Record<ChallengeWay, number | false>>;

interface NginxContext extends RunContext {
  now: number;
  readonly request: LazyRequest;
  route: PreparedRoute;
  /** Its fields are those that were looked over last (`scanHeaders`). */
  isScanned: boolean;
  /** Windows that the request was counted in, by their keys. */
  readonly countedKeys: string[];
  readonly countedSeconds: number[];
  countedIn: number;
  readonly work: RequestWork;
  /** What it began with. */
  stepsGiven: number;
  /** What it had when `isWithoutEffect` was asked last. */
  stepsBefore: number;
  /** What has been asked for of the request so far. */
  readings: readonly string[] | undefined;
  query: string | undefined;
  cookieText: string | undefined;
  cookies: NamedValues | undefined;
  queried: NamedValues | undefined;
  possibleCookies: NamedIndex | undefined;
  possibleArguments: NamedIndex | undefined;
  agents: readonly string[] | undefined;
  fields: { [name: string]: readonly string[] | undefined } | undefined;
  /** By way, when the client proved itself; false: it did not. */
  readonly proofs: Proofs;
}

/** Evicts what was asked for longest ago: of a flood of clients, those that send most are kept. */
const counts = ngx.shared.cordon_counters as SharedDict;
const counters: Counters = {
  add: (key, seconds) => counts.incr(key, 1, 0, seconds) ?? 1,
  get: (key) => (counts.get(key) ?? 0) as number,
  forget: (key) => counts.delete(key),
};

/** Of what is kept of a client on this route. A proof has cost its client work, so it cannot choose many. */
function countKey(context: NginxContext, name: string, proof: number | undefined): string {
  const { route, request } = context;
  const key = clientKey(request.clientAddress, tagIn(route.routeTags, name, route.id));
  return proof === undefined ? key : `${key}p${proof} `;
}

const windows = createWindowMemory();

/** Forgets what the request was counted among, of one key only where it is given. */
function forgetCounted(context: NginxContext, key: string | undefined): void {
  const { countedKeys, countedSeconds, countedIn } = context;
  // Later than `context.now` where a plugin had to wait: other requests of the client have been counted since.
  const now = ngx.now();
  for (let at = 0; at < countedIn; at++) {
    const counted = countedKeys[at] as string;
    if (key === undefined || counted === key)
      forgetWindow(counters, windows, counted, now, countedSeconds[at] as number);
  }
}

const NO_VALUES: readonly string[] = [];

function cookieTextOf(context: NginxContext): string {
  context.cookieText ??= (context.isScanned ? readScannedCookie() : readHeader('cookie')) ?? '';
  return context.cookieText;
}

/** Of a decision in which nothing waits: the readings of most paths, until the next request. */
const oneReading = [''];

function findReadings({ isScanned, request }: NginxContext): readonly string[] {
  if (!isScanned || !hasOneReading(request.path, request.rawPath)) return readingsOfPath(request.path, request.rawPath);
  oneReading[0] = request.path;
  return oneReading;
}

/** Of several the first: a search engine sends one. */
function agentOf(context: NginxContext): string | undefined {
  return context.isScanned ? context.headerValues('user-agent')[0] : ngx.var.http_user_agent;
}

const methods = {
  pathReadings(this: NginxContext): readonly string[] {
    this.readings ??= findReadings(this);
    return this.readings;
  },

  decodedQuery(this: NginxContext): string {
    this.query ??= decodeForm(this.request.query);
    return this.query;
  },

  header(this: NginxContext, name: string): string | undefined {
    return readHeader(name);
  },

  headerValues(this: NginxContext, name: string): readonly string[] {
    if (this.isScanned && name === 'user-agent') {
      this.agents ??= readScannedAgents();
      return this.agents;
    }
    this.fields ??= {};
    const known = this.fields[name];
    if (known !== undefined) return known;
    const values = readHeaderValues(name);
    this.fields[name] = values;
    return values;
  },

  cookieValues(this: NginxContext, name: string): readonly string[] {
    const text = cookieTextOf(this);
    if (this.cookies === undefined) {
      // Most visitors have cookies, and none of ours.
      const [at] = string.find(text, name, 1, true);
      if (at === undefined) return NO_VALUES;
    }
    this.cookies ??= readCookies(text);
    return valuesOf(this.cookies, name);
  },

  argumentValues(this: NginxContext, name: string): readonly string[] {
    this.queried ??= readArguments(this.request.query);
    return valuesOf(this.queried, name);
  },

  possibleCookieValues(this: NginxContext, name: string): PossibleValues | undefined {
    this.possibleCookies ??= indexCookies(cookieTextOf(this));
    return possibleWithin(this.work, this.possibleCookies, name);
  },

  possibleArgumentValues(this: NginxContext, name: string): PossibleValues | undefined {
    this.possibleArguments ??= indexArguments(this.request.query);
    return possibleWithin(this.work, this.possibleArguments, name);
  },

  matchAddress(this: NginxContext, set: AddressSet): string | undefined {
    return matchAgain(set, this.request.clientAddress);
  },

  verifiedCrawler(this: NginxContext): CrawlerName | undefined {
    return verifyCrawler(this.request.clientAddress, this.request.clientAddressText, agentOf(this));
  },

  isPossibleCrawler(this: NginxContext): boolean {
    return isPossibleCrawler(this.request.clientAddressText, agentOf(this));
  },

  matches(this: NginxContext, pattern: Pattern, text: string): boolean | undefined {
    return matchesWithin(this.work, pattern, text);
  },

  matchesPath(this: NginxContext, pattern: Pattern): boolean {
    return matchesAnyWithin(this.work, pattern, this.pathReadings());
  },

  spendOn(this: NginxContext, text: string, stepsOfText: number, stepsOfByte: number): boolean {
    return spendOn(this.work, text, stepsOfText, stepsOfByte);
  },

  doubtCount(this: NginxContext): number {
    return this.work.doubtCount;
  },

  isWithoutEffect(this: NginxContext, list: object): boolean {
    this.stepsBefore = this.work.stepsLeft;
    const readings = this.pathReadings();
    const agents = this.headerValues('user-agent');
    if (readings.length !== 1 || agents.length !== 1) return false;
    const steps = stepsWithoutEffect(list, agents[0] as string, readings[0] as string);
    if (steps === undefined || steps > this.work.stepsLeft) return false;
    this.work.stepsLeft -= steps;
    // The worker has not been held for them (`endContext`).
    this.stepsGiven -= steps;
    return true;
  },

  noteWithoutEffect(this: NginxContext, list: object): void {
    const readings = this.pathReadings();
    const agents = this.headerValues('user-agent');
    if (readings.length !== 1 || agents.length !== 1) return;
    const steps = this.stepsBefore - this.work.stepsLeft;
    noteStepsWithoutEffect(list, agents[0] as string, readings[0] as string, steps);
  },

  count(this: NginxContext, name: string, seconds: number, proof: number | undefined): number {
    const key = countKey(this, name, proof);
    this.countedKeys[this.countedIn] = key;
    this.countedSeconds[this.countedIn] = seconds;
    this.countedIn++;
    return countInWindow(counters, windows, key, this.now, seconds);
  },

  mark(this: NginxContext, name: string, seconds: number, proof: number | undefined): void {
    const key = countKey(this, name, proof);
    counts.set(markKey(key), 1, seconds);
    forgetCounted(this, key);
  },

  isMarked(this: NginxContext, name: string, proof: number | undefined): boolean {
    return counts.get(markKey(countKey(this, name, proof))) !== undefined;
  },

  forgetCounts(this: NginxContext): void {
    forgetCounted(this, undefined);
  },

  provedAt(this: NginxContext, way: ChallengeWay): number | undefined {
    // Once for a request: each of many rules may ask.
    const known = this.proofs[way];
    if (known !== undefined) return known === false ? undefined : known;
    const { route, request } = this;
    const client = { routeId: route.id, address: request.clientAddress };
    const shown = findProof(client, way, this.cookieValues(cookieOfWay(way)), this.now);
    // Asked for last: it may take a look into DNS.
    const provedAt = shown ?? (this.verifiedCrawler() === undefined ? undefined : this.now);
    this.proofs[way] = provedAt ?? false;
    return provedAt;
  },

  isSignedBy(this: NginxContext, secret: string, text: string, signature: string): boolean {
    return secret !== '' && isEqualSecret(signature, hmacSha256Hex(secret, text));
  },

  feed(this: NginxContext, name: string): FeedEntry | undefined {
    const { route, request } = this;
    const { clientAddress } = request;
    return (
      findInFeed(tagIn(route.routeTags, name, route.id), clientAddress) ??
      findInFeed(tagIn(route.accountTags, name, route.accountId), clientAddress)
    );
  },
};

/** `now` is taken when it is first asked for, and stands then. */
function readMember(this: void, context: NginxContext, key: string): unknown {
  if (key !== 'now') return undefined;
  const now = ngx.now();
  rawset(context, 'now', now);
  return now;
}

const lazyContext = { __index: readMember };

const NO_ADDRESS: Address = { family: 4, words: [0] };

function forgetRequest(request: Partial<LazyRequest>): void {
  request.method = undefined;
  request.path = undefined;
  request.rawPath = undefined;
  request.query = undefined;
  request.host = undefined;
  request.scheme = undefined;
  request.country = undefined;
  request.asn = undefined;
  request.clientAddressText = undefined;
  request.clientAddress = undefined;
  request.target = '';
  request.isPeer = false;
}

function forgetProofs(proofs: Proofs): void {
  proofs.js = undefined;
  proofs.google_recaptcha = undefined;
  proofs.puzzle = undefined;
  proofs.wait = undefined;
}

/**
 * Tables that are used for one request after another are made with a place for each field, and then emptied. One without would be
 * grown by each request anew: what grows a table lets go of the places that are empty then.
 */
function emptyRequest(): LazyRequest {
  const request: LazyRequest = {
    method: '',
    path: '',
    rawPath: '',
    query: '',
    host: '',
    scheme: 'http',
    country: '',
    asn: 0,
    clientAddressText: '',
    clientAddress: NO_ADDRESS,
    target: '',
    isPeer: false,
  };
  forgetRequest(request);
  return setmetatable(request, lazyRequest);
}

function emptyProofs(): Proofs {
  const proofs: Proofs = { js: false, google_recaptcha: false, puzzle: false, wait: false };
  forgetProofs(proofs);
  return proofs;
}

/** `RunContext` over nginx. Its methods are its own fields, which LuaJIT finds at once. */
export function createContext(route: PreparedRoute): RunContext {
  const stepsGiven = stepsOfNext(route);
  const work = createRequestWork();
  beginWork(work, stepsGiven);
  const context = {
    ...methods,
    request: emptyRequest(),
    route,
    work,
    stepsGiven,
    stepsBefore: stepsGiven,
    proofs: emptyProofs(),
    isScanned: false,
    countedKeys: [],
    countedSeconds: [],
    countedIn: 0,
  };
  return setmetatable(context as unknown as NginxContext, lazyContext);
}

let reused: NginxContext | undefined;

/** Of the decision that is being made at once (`reuseContext`). */
export const reusedContext = (): RunContext => reused as NginxContext;

/** To be called when the plugins have had their turns: what they cost counts against what others of the domain may. */
export function endContext(context: RunContext): void {
  const { route, stepsGiven, work } = context as NginxContext;
  noteSteps(route, stepsGiven - work.stepsLeft);
}

/** The same for a decision in which nothing waits: one is enough for a worker, and making it costs as much as asking it. */
export function reuseContext(route: PreparedRoute, target: string, query: string, isPeer: boolean): RunContext {
  reused ??= createContext(route) as NginxContext;
  const context = reused;
  // Of the request before, and here: what follows the loop of its plugins is not compiled.
  endContext(context);
  context.isScanned = true;
  context.route = route;
  forgetRequest(context.request);
  context.request.target = target;
  context.request.query = query;
  context.request.isPeer = isPeer;
  context.stepsGiven = stepsOfNext(route);
  beginWork(context.work, context.stepsGiven);
  context.countedIn = 0;
  context.readings = undefined;
  context.query = undefined;
  context.cookieText = undefined;
  context.cookies = undefined;
  context.queried = undefined;
  context.possibleCookies = undefined;
  context.possibleArguments = undefined;
  context.agents = undefined;
  context.fields = undefined;
  forgetProofs(context.proofs);
  (context as Partial<NginxContext>).now = undefined;
  return context;
}
