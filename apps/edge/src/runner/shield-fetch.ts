import { isSlicedFile, type StorageDecision } from '@cordon/plugin-kit/shared-cache';
import { set_current_peer, set_timeouts } from 'ngx.balancer';
import { get_request } from 'resty.core.base';
import { sha256Head } from './native.ts';
import type { RunnerShieldNode, RunnerShields } from './payload.ts';
import type { PreparedCache, PreparedRoute } from './prepared-route.ts';
import { settingsAt } from './settings.ts';
import { changedAt } from './shield-changes.ts';
import { clearsToName } from './shield-clears.ts';
import { countShield } from './shield-counts.ts';
import { signNote } from './shield-note.ts';
import { isShieldDown, noteDown } from './shield-state.ts';

/**
 * Fetches through shields (docs/adr/0016-origin-shield.md): nodes of the czone that ask origins for all others. The fetching server aims at
 * one of them in place of the origin; where none answers, it asks the origin as it does without.
 */
export interface ShieldedFetch {
  readonly route: PreparedRoute;
  readonly shields: RunnerShields;
  readonly scheme: string;
  /** Those to ask, in this order. */
  readonly nodes: RunnerShieldNode[];
  readonly clears: readonly string[];
  /** When what this node has stored was made: nothing older takes its place. Undefined: it has nothing. */
  readonly storedMadeAt: number | undefined;
  /** The one that is asked; undefined: the origin is. */
  node: RunnerShieldNode | undefined;
  askedAt: number;
  /** As nginx has it, while it waits. */
  request: NativeRequest | undefined;
  /** The head of an answer has come. */
  isAnswered: boolean;
  /** What the one that has answered says of its answer. */
  facts: ShieldFacts | undefined;
  /** What its own exchange with the origin came to, as `originText` has it; undefined where it had none. */
  origin: string | undefined;
}

/** Of an answer, at the time that it was given. */
interface ShieldFacts {
  readonly ageSeconds: number;
  readonly ttlSeconds: number;
  readonly staleWhileRevalidateSeconds: number;
  readonly staleIfErrorSeconds: number;
  readonly mustRevalidate: boolean;
}

export const SHIELD_FIELD = 'Cordon-Shield';
export const SHIELD_LOCATION = '@shield';
/** `error_page` leads it to where the next shield, or the origin, is asked. */
export const UNSHIELDED_STATUS = 518;

/** Of a shield that cannot be reached, with those that are asked after it, a visitor waits less than a second. */
const ASKED_MAX = 2;
const CONNECT_SECONDS = 0.4;
const SEND_SECONDS = 5;
/** A shield waits for the origin as a node does, and answers what it has come to. */
const ANSWER_SECONDS = 5;
/** Who holds no lease is asked again soon. */
const UNLEASED_SECONDS = 1;

/** By the ids of requests, until they end. */
export const asking = new LuaTable<string, ShieldedFetch>();
const requestId = (): string => ngx.var.cordon_request_id ?? '';

export const nameOf = ({ address, port }: RunnerShieldNode): string => `${address}:${port}`;

/** Rendezvous hashing: each URL has its own order of the shields, which stays when others come and go. */
function inOrder(nodes: readonly RunnerShieldNode[], url: string): RunnerShieldNode[] {
  const ranked = nodes
    .filter((node) => !isShieldDown(nameOf(node)))
    .map((node) => ({ node, rank: sha256Head(`${nameOf(node)} ${url}`) }));
  table.sort(ranked, (a, b) => a.rank > b.rank);
  return ranked.slice(0, ASKED_MAX).map(({ node }) => node);
}

/** Whether what the request itself says is obeyed by the cache that answers it, for which the origin is asked. */
const isObeyed = ({ policy }: PreparedCache): boolean =>
  policy.obeysRequests && (ngx.var.http_cache_control !== undefined || ngx.var.http_pragma !== undefined);

/** How a fetch goes through shields; undefined: it goes to the origin. To be asked after it was noted how much had been cleared. */
export function planShielding(
  route: PreparedRoute,
  cache: PreparedCache,
  url: string,
  scheme: string,
  storedMadeAt: number | undefined,
  generation: number,
): ShieldedFetch | undefined {
  const shields = settingsAt(generation)?.shields?.[route.czone];
  if (shields === undefined || shields.nodes === undefined || shields.nodes.length === 0) return undefined;
  const isFile = isSlicedFile(ngx.var.uri ?? '/');
  const changed = changedAt(route.id, url);
  // Slices are found whenever they were made.
  const isPassedBy = (isFile && changed > 0) || isObeyed(cache);
  if (isPassedBy) return undefined;
  const clears = clearsToName(route.id);
  if (clears === undefined) return undefined;
  const nodes = inOrder(shields.nodes, `${route.id} ${url}`);
  return {
    ...{ route, shields, scheme, nodes, clears },
    storedMadeAt: changed === 0 ? storedMadeAt : Math.max(changed, storedMadeAt ?? 0),
    ...{ node: undefined, askedAt: 0, request: undefined, isAnswered: false },
    ...{ facts: undefined, origin: undefined },
  };
}

/** Aims at the next shield, in the location of its own; false: the origin is to be asked. */
export function aimAtShield(plan: ShieldedFetch | undefined): boolean {
  if (plan === undefined) return false;
  const node = plan.nodes.shift();
  plan.node = node;
  if (node === undefined) {
    leaveShields();
    return false;
  }
  const { route, shields, scheme, clears, storedMadeAt } = plan;
  const variables = ngx.var;
  const note = {
    ...{ routeId: route.id, version: route.version, scheme, clears, requestId: requestId() },
    ...{ host: variables.host ?? '', client: variables.cordon_client ?? '' },
    ageSeconds: storedMadeAt === undefined ? undefined : ngx.now() - storedMadeAt,
  };
  const target = variables.cordon_fetch_target ?? '/';
  ngx.req.set_header(SHIELD_FIELD, signNote(note, shields.key, ngx.req.get_method(), target));
  variables.cordon_origin_host = shields.name;
  variables.cordon_upstream = 'https://shields';
  plan.askedAt = ngx.now();
  plan.request = undefined;
  plan.isAnswered = false;
  asking.set(requestId(), plan);
  countShield('requests');
  return true;
}

function leaveShields(): void {
  ngx.req.clear_header(SHIELD_FIELD);
  ngx.var.cordon_origin_host = ngx.var.host;
  ngx.var.cordon_upstream = 'http://origin_http';
}

/** To be called when a fetch is over. */
export function endShielding(): void {
  asking.delete(requestId());
}

/** NGX_BUSY: nginx answers 502. */
const NO_PEER = -3;

/** `balancer_by_lua` of the shields. */
export function balanceShield(this: void): void {
  const plan = asking.get(requestId()) as ShieldedFetch | undefined;
  const upstream = plan === undefined ? undefined : plan.route.upstream;
  // A kept connection was closed, maybe by shield-watch.ts.
  const isTaken = plan?.request !== undefined && plan.node !== undefined && isShieldDown(nameOf(plan.node));
  if (plan === undefined || plan.node === undefined || upstream === undefined || isTaken) {
    ngx.exit(NO_PEER);
    return;
  }
  const read = upstream.connectTimeoutSeconds + upstream.readTimeoutSeconds + ANSWER_SECONDS;
  plan.request = get_request();
  set_timeouts(CONNECT_SECONDS, SEND_SECONDS, read);
  set_current_peer(plan.node.address, plan.node.port);
}

/** The shield that is asked has not answered, or broke off. What came after the handshake may be its origin's fault. */
export function noteShieldFailure({ node }: ShieldedFetch): void {
  countShield('failures');
  const isUnreached = string.sub(ngx.var.upstream_connect_time ?? '', -1) === '-';
  if (node !== undefined && isUnreached) noteDown(nameOf(node));
}

/** What a shield has said of its answer (`filterShielded` of shield-answer.ts). `failed`: its origin has. */
export type ShieldOutcome = 'answered' | 'failed' | 'refused';

/** Whether a shield may not have reached an origin that the node can reach. One that has let the shield wait is not asked a second time. */
function mayBeUnreached({ route, askedAt }: ShieldedFetch): boolean {
  const { upstream } = route;
  if (upstream === undefined || ngx.status === 503) return false;
  const { connectTimeoutSeconds, readTimeoutSeconds } = upstream;
  return ngx.now() - askedAt < Math.min(connectTimeoutSeconds + 1, readTimeoutSeconds);
}

export function readShielded(plan: ShieldedFetch): ShieldOutcome {
  const variables = ngx.var;
  plan.isAnswered = true;
  const [kind, ...values] = (variables.upstream_http_cordon_shielded ?? '').split(' ');
  if (kind !== 'answer' && kind !== 'stored' && kind !== 'failed') {
    if (values[0] === 'lease' && plan.node !== undefined) noteDown(nameOf(plan.node), UNLEASED_SECONDS);
    countShield('refusals');
    return 'refused';
  }
  if (kind === 'failed' && mayBeUnreached(plan)) {
    countShield('refusals');
    plan.nodes.length = 0;
    return 'refused';
  }
  plan.origin = variables.upstream_http_cordon_origin;
  if (kind === 'failed') return 'failed';
  const [age, ttl, whileRevalidate, ifError, mustRevalidate] = values;
  const ageSeconds = tonumber(age) ?? 0;
  // Else the shield's origin has just said it: that is its last word, whenever it says that it was made.
  if (kind === 'stored' && isOlder(plan, madeAtOf(ageSeconds, ngx.now()))) {
    countShield('refusals');
    plan.nodes.length = 0;
    return 'refused';
  }
  plan.facts = {
    ageSeconds,
    ttlSeconds: tonumber(ttl) ?? 0,
    staleWhileRevalidateSeconds: tonumber(whileRevalidate) ?? 0,
    staleIfErrorSeconds: tonumber(ifError) ?? 0,
    mustRevalidate: mustRevalidate === '1',
  };
  return 'answered';
}

const isOlder = ({ storedMadeAt }: ShieldedFetch, madeAt: number): boolean =>
  storedMadeAt !== undefined && madeAt < storedMadeAt;

/** When what has this age was made: the same second at all nodes whose clocks are less than half a second apart. */
export const madeAtOf = (ageSeconds: number, now: number): number => Math.floor(now - ageSeconds + 0.5);

/** The reason that a shield gives for an origin's failure. */
export const shieldedReason = (): string => (ngx.var.upstream_http_cordon_shielded ?? '').split(' ')[1] ?? '-';

/** How old an answer is, and for how long it is fresh, is as its shield has it: it need not be made now. */
export function asShielded(decision: StorageDecision, facts: ShieldFacts, now: number): StorageDecision {
  const { ageSeconds, ttlSeconds, staleWhileRevalidateSeconds, staleIfErrorSeconds, mustRevalidate } = facts;
  return {
    ...decision,
    madeAt: madeAtOf(ageSeconds, now),
    freshUntil: madeAtOf(-ttlSeconds, now),
    ...{ staleWhileRevalidateSeconds, staleIfErrorSeconds, mustRevalidate },
  };
}

/** Of what nginx says of its exchanges, the last: before it, shields were asked in vain. */
export function lastExchange(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const exchanges = text.split(' : ');
  return exchanges[exchanges.length - 1];
}
