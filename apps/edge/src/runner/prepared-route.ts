import type { CacheKeyRules, CachePolicy, HeaderField } from '@cordon/plugin-kit/edge';
import { edgeKit } from '@cordon/plugin-kit/edge-kit';
import { type PreparedPlugin, preparePlugins } from '@cordon/plugin-kit/pipeline';
import { handlers } from '@cordon/plugins/handlers';
import * as json from 'cjson.safe';
import type { RouteClears } from './cache-clears.ts';
import { type DevelopmentSwitch, developmentSwitch } from './development-mode.ts';
import type { EncodingClass } from './encoding-class.ts';
import type { RunnerRoute, RunnerTarget } from './payload.ts';
import { prepareFields, prepareHsts, preparePages, type ResponseField, type ResponsePage } from './response-changes.ts';

/** One target of a route, with the worker's own state of the weighted round robin. */
export interface PreparedTarget {
  readonly name: string;
  readonly addresses: readonly string[];
  readonly port: number | undefined;
  readonly weight: number;
  readonly tlsKeepalive: boolean;
  currentWeight: number;
  nextAddress: number;
}

export interface PreparedUpstream {
  readonly protocol: 'http' | 'https' | 'http_https';
  /** Host and server name for the origins, where it is not the visited name. */
  readonly originHost: string | undefined;
  /** Targets with an address, by rank: first the ordinary ones, then the backups. */
  readonly primaries: PreparedTarget[];
  readonly backups: PreparedTarget[];
  /** There is one target with one address: no choice, so no health is kept. */
  readonly isSingle: boolean;
  /** All targets' TLS connections may be kept. */
  readonly tlsKeepalive: boolean;
  readonly tries: number;
  /** The timeouts are not those of nginx.conf.template. */
  readonly hasOwnTimeouts: boolean;
  readonly connectTimeoutSeconds: number;
  readonly sendTimeoutSeconds: number;
  readonly readTimeoutSeconds: number;
  readonly failTimeoutSeconds: number;
  readonly maxFails: number;
  /** Requests open at the origin at a time on this node; 0: unlimited. */
  readonly connectionLimit: number;
  readonly tlsLocation: string | undefined;
  readonly directLocation: string;
  readonly isTlsVerified: boolean;
  readonly isTlsRefused: boolean;
}

/** How answers to a route's requests are kept, and what of them was cleared, as of a generation. */
export interface PreparedCache {
  readonly plugin: PreparedPlugin;
  readonly policy: CachePolicy;
  readonly key: CacheKeyRules;
  /** Arguments of queries are left out of keys, or sorted. */
  readonly hasQueryRules: boolean;
  /** Devices or languages make other objects. */
  readonly hasVariants: boolean;
  /** Either of these: keys are not made of what the request has alone. */
  readonly hasRules: boolean;
  /** Of nginx's zones, whose objects share one space. */
  readonly zone: CacheZone;
  /** What keys begin with. */
  readonly base: string;
  readonly development: DevelopmentSwitch;
  generation: number;
  mayBeInDevelopment: boolean;
  clears: RouteClears;
  /** Fields by which its answers vary (cache-vary.ts). */
  varied: readonly string[];
  /** Prefixes of keys of URLs that were not cleared by themselves. */
  plainPrefixes: Record<EncodingClass, string | undefined>;
}

/** Those of free plans have less room. */
export type CacheZone = 'free' | 'paid';

/** A route as a worker keeps it: decoded, plugins prepared, texts of the hot path composed. */
export interface PreparedRoute {
  readonly id: string;
  readonly accountId: string;
  readonly czone: string;
  readonly version: number;
  readonly revision: number;
  readonly isFree: boolean;
  readonly brand: string;
  /** Route, account and version as the log keeps them. */
  readonly logText: string;
  readonly verified: LuaTable<string, boolean>;
  readonly wildcardLevels: RunnerRoute['wildcard_levels'];
  readonly off: RunnerRoute['off'] | undefined;
  readonly upstream: PreparedUpstream | undefined;
  /** Value of Cordon-Origin-Key. */
  readonly originKey: string | undefined;
  /** Visitors without TLS are sent to the same address with it. */
  readonly forcesHttps: boolean;
  /** Value of Strict-Transport-Security; undefined: the origin's passes. */
  readonly hsts: string | undefined;
  /** Plugins that have a say about each request, and those of them that need no feed for it. */
  readonly deciders: readonly PreparedPlugin[];
  readonly feedlessDeciders: readonly PreparedPlugin[];
  /** Feeds that the others need. */
  readonly feeds: readonly string[];
  /** Whether one of them has an entry, and as of which generation. */
  hasFeedEntries: boolean;
  feedGeneration: number;
  /** Header fields that plugins give to requests to the origin, and to answers to visitors. */
  readonly originFields: readonly HeaderField[];
  readonly responseFields: readonly ResponseField[];
  /** Pages in place of errors, by status. */
  readonly errorPages: LuaTable<number, ResponsePage> | undefined;
  /** Undefined: nothing is kept. */
  readonly cache: PreparedCache | undefined;
  /** Tags of keys (network-key.ts) that belong to the route, and to its account. */
  readonly routeTags: LuaTable<string, string>;
  readonly accountTags: LuaTable<string, string>;
  /** What its costly requests came to in a second (work-share.ts). */
  costlySteps: number;
  costlySecond: number;
}

/** proxy_*_timeout of nginx.conf.template. */
const CONNECT_TIMEOUT_MS = 5000;
const SEND_TIMEOUT_MS = 60000;
const READ_TIMEOUT_MS = 60000;

function prepareTarget(target: RunnerTarget): PreparedTarget {
  return {
    name: target.name,
    addresses: target.addresses,
    port: target.port,
    weight: target.weight,
    tlsKeepalive: target.tls_keepalive,
    currentWeight: 0,
    nextAddress: 0,
  };
}

function prepareUpstream(route: RunnerRoute, originHost: string | undefined): PreparedUpstream | undefined {
  const upstream = route.upstream;
  if (upstream === undefined) return undefined;
  const primaries: PreparedTarget[] = [];
  const backups: PreparedTarget[] = [];
  let addresses = 0;
  let tlsKeepalive = true;
  for (const target of upstream.targets) {
    if (target.addresses.length > 0) {
      addresses += target.addresses.length;
      if (!target.tls_keepalive) tlsKeepalive = false;
      const list = target.backup ? backups : primaries;
      list.push(prepareTarget(target));
    }
  }
  return {
    protocol: upstream.protocol,
    originHost,
    primaries,
    backups,
    isSingle: addresses === 1,
    tlsKeepalive,
    tries: upstream.tries,
    hasOwnTimeouts:
      upstream.connect_timeout_ms !== CONNECT_TIMEOUT_MS ||
      upstream.send_timeout_ms !== SEND_TIMEOUT_MS ||
      upstream.read_timeout_ms !== READ_TIMEOUT_MS,
    connectTimeoutSeconds: upstream.connect_timeout_ms / 1000,
    sendTimeoutSeconds: upstream.send_timeout_ms / 1000,
    readTimeoutSeconds: upstream.read_timeout_ms / 1000,
    failTimeoutSeconds: upstream.fail_timeout_ms / 1000,
    maxFails: upstream.max_fails,
    connectionLimit: upstream.connection_limit ?? 0,
    tlsLocation: upstream.tls_refused === true ? '@accounted' : upstream.tls_location,
    directLocation: upstream.tls_direct_location ?? '@direct',
    isTlsVerified: upstream.tls_unverified !== true,
    isTlsRefused: upstream.tls_refused === true,
  };
}

const NOTHING_CLEARED: RouteClears = { all: 0, hasUrls: false, newest: 0, list: [], floor: 0, changed: 0 };

/** Whether this worker has prepared a route with a cache: answers of others need not be looked at for what they change. */
export const caching = { ofAny: false };

function prepareCache(route: RunnerRoute, plugin: PreparedPlugin | undefined): PreparedCache | undefined {
  if (plugin === undefined || plugin.cache === undefined) return undefined;
  const { policy, key } = plugin.cache;
  caching.ofAny = true;
  const hasQueryRules = key.query !== 'all' || key.sortsQuery;
  const hasVariants = key.byDevice || key.languages.length > 0;
  return {
    plugin,
    policy,
    key,
    hasQueryRules,
    hasVariants,
    hasRules: hasQueryRules || hasVariants,
    zone: route.tier === 'free' ? 'free' : 'paid',
    base: route.id,
    development: developmentSwitch(route.id),
    generation: -1,
    mayBeInDevelopment: false,
    clears: NOTHING_CLEARED,
    varied: [],
    plainPrefixes: { b: undefined, g: undefined, '-': undefined },
  };
}

/** Where Lua itself says that something is wrong, which nobody needs to know who cannot mend it. */
const PLACE_IN_LUA = '[^ ]*%.lua:%d+: ';

/** Why a route, as the agent's JSON has it, cannot be served; undefined when it can. */
export function faultOfRoute(route: string): string | undefined {
  const decoded = json.decode<RunnerRoute>(route);
  if (decoded === undefined) return 'no JSON';
  const [isPrepared, fault] = pcall(prepareRoute, decoded);
  if (isPrepared) return undefined;
  const [text] = string.gsub(string.gsub(tostring(fault), PLACE_IN_LUA, '')[0], '^Error: ', '');
  return text;
}

/**
 * Decodes nothing itself: `route` comes from the agent's JSON, so its types are the agent's promise. Throws where they do not
 * hold, and for a plugin that this node does not know: without it, what it protects would be open.
 */
export function prepareRoute(this: void, route: RunnerRoute): PreparedRoute {
  const verified = new LuaTable<string, boolean>();
  for (const host of route.hosts) verified.set(host.name, host.verified);
  const { deciders, originHost, originFields, responseFields, errorPages, cachePlugin } = preparePlugins(
    route.plugins,
    handlers,
    edgeKit,
    (name) => error(`${name}: a plugin that this node does not know`, 0),
  );
  return {
    id: route.id,
    accountId: route.account_id,
    czone: route.czone,
    version: route.version,
    revision: route.revision,
    isFree: route.tier === 'free',
    brand: route.brand,
    logText: `${route.id} ${route.account_id} ${route.version}`,
    verified,
    wildcardLevels: route.wildcard_levels,
    off: route.off,
    upstream: prepareUpstream(route, originHost),
    originKey: route.origin_key,
    forcesHttps: route.https?.force === true,
    hsts: prepareHsts(route.https?.hsts),
    deciders,
    feedlessDeciders: deciders.filter(({ feeds }) => feeds.length === 0),
    feeds: deciders.flatMap(({ feeds }) => feeds),
    hasFeedEntries: false,
    feedGeneration: -1,
    originFields,
    responseFields: prepareFields(responseFields),
    errorPages: preparePages(errorPages, route.brand),
    cache: prepareCache(route, cachePlugin),
    costlySteps: 0,
    costlySecond: 0,
    routeTags: new LuaTable(),
    accountTags: new LuaTable(),
  };
}
