import { type Address, parseAddress } from '@cordon/contract/address';
import { buildAddressSet, matchAddressSet } from '@cordon/contract/address-set';
import { prefersJson } from '../edge/accept.ts';
import { CHALLENGE_STATUS } from '../edge/challenge.ts';
import type { AnyEdgeHandler, ChallengeWay, FeedEntry, HeaderField, RunContext } from '../edge/context.ts';
import { edgeKit } from '../edge/kit.ts';
import type { Phase } from '../edge/phases.ts';
import {
  type AnswerSource,
  changesOfAnswer,
  isRepeatableField,
  type PreparedPlugins,
  pipelineStart,
  preparePlugins,
  runPipeline,
} from '../edge/pipeline.ts';
import { createPlainContext, createPlainState, type PlainState } from '../edge/plain-context.ts';
import { cacheStatusOf } from './case-cache.ts';

/** A request of a case, with its defaults filled in. */
export interface PlainCaseRequest {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly from: string;
  readonly country: string;
  readonly asn: number;
  readonly crawler: string;
  readonly isPossibleCrawler: boolean;
  /** Empty: the client has not proved itself. */
  readonly proved: ChallengeWay | '';
  readonly provedSecondsBefore: number;
  /** Before the request that the case is about. */
  readonly secondsBefore: number;
}

/** A case with its defaults filled in and its configuration materialised. Plain data, so that it can go to LuaJIT. */
export interface PlainCase {
  readonly plugin: string;
  readonly phase: Phase;
  readonly config: unknown;
  readonly resolved: unknown;
  /** Addresses and ranges, by feed. */
  readonly feeds: Readonly<Record<string, readonly string[]>>;
  /** In the order in which they come; the case is about the last. */
  readonly requests: readonly PlainCaseRequest[];
  readonly originStatus: number;
  readonly originHeaders: Readonly<Record<string, string>>;
}

/**
 * What came of a case, as flat data: kind, status, reason and rule of the verdict, location, way of the challenge, seconds of the ban; Host and fields that the
 * origin was asked with; status, fields and body that the visitor got. Fields are lines of `name: value`.
 */
export type PlainOutcome = readonly string[];

const linesOf = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

const fieldsOf = ({ host, headers }: PlainCaseRequest): HeaderField[] =>
  Object.entries({ host, ...headers }).map(([name, value]) => ({ name, value }));

/** `fields` as they are with those that plugins put there. */
function changed(
  fields: Readonly<Record<string, string>>,
  added: readonly HeaderField[],
  isAnswer: boolean,
): Record<string, string> {
  const all: Record<string, string> = { ...fields };
  for (const { name, value } of added) {
    const lower = name.toLowerCase();
    const before = all[lower];
    all[lower] = isAnswer && before !== undefined && isRepeatableField(lower) ? `${before}, ${value}` : value;
  }
  return all;
}

/** Status, fields and body of an answer with one of these statuses. */
function answer(
  plugins: PreparedPlugins,
  source: AnswerSource,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
  accept: string | undefined,
): string[] {
  const ownPage = prefersJson(accept) ? undefined : plugins.errorPages.find((candidate) => candidate.status === status);
  const { page, fields } = changesOfAnswer(source, ownPage, plugins.responseFields);
  const before = page === undefined ? headers : { ...headers, 'content-type': page.contentType };
  return [`${status}`, linesOf(changed(before, fields, true)), page === undefined ? body : page.body];
}

/** When the request that a case is about is sent, where the clock is not nginx's. */
export const CASE_NOW = 1_790_000_000;

/** The entry of each feed that holds the client. */
function feedEntries(plainCase: PlainCase, client: Address): Record<string, FeedEntry | undefined> {
  const entries: Record<string, FeedEntry | undefined> = {};
  for (const [name, networks] of Object.entries(plainCase.feeds)) {
    const network = matchAddressSet(buildAddressSet(networks), client);
    if (network !== undefined) entries[name] = { network, until: 0 };
  }
  return entries;
}

function contextOf(plainCase: PlainCase, request: PlainCaseRequest, kept: PlainState): RunContext {
  // A case's address is written by hand: a wrong one shows as what it is not.
  const clientAddress = parseAddress(request.from) ?? { family: 4, words: [0] };
  const { method, host, path, query, country, asn, crawler, isPossibleCrawler, secondsBefore } = request;
  const { proved, provedSecondsBefore } = request;
  const headers = fieldsOf(request);
  const now = CASE_NOW - secondsBefore;
  return createPlainContext(
    {
      method,
      scheme: 'https',
      host,
      path,
      query,
      headers,
      clientAddress,
      country,
      asn,
      crawler,
      isPossibleCrawler,
      ...(proved === '' ? {} : { proof: { way: proved, at: now - provedSecondsBefore } }),
      now,
    },
    { ...kept, feeds: feedEntries(plainCase, clientAddress) },
  );
}

/** Runs one case through a handler. Emitted as Lua as well: keep to the rules of `edge/context.ts`. */
export function runPlainCase(handler: AnyEdgeHandler, plainCase: PlainCase): PlainOutcome {
  const name = plainCase.plugin;
  const entry = { name, config: plainCase.config, resolved: plainCase.resolved };
  const registry = { [name]: { phase: plainCase.phase, handler } };
  const plugins = preparePlugins([entry], registry, edgeKit, () => {});
  const kept = createPlainState();
  let outcome: PlainOutcome = [];
  for (const request of plainCase.requests) {
    outcome = outcomeOf(plugins, plainCase, request, contextOf(plainCase, request, kept));
  }
  return outcome;
}

function outcomeOf(
  plugins: PreparedPlugins,
  plainCase: PlainCase,
  request: PlainCaseRequest,
  ctx: RunContext,
): PlainOutcome {
  let noted: [string, string, string] | undefined;
  const { accept } = request.headers;
  const end = runPipeline(plugins.deciders, ctx, pipelineStart(), (_, verdict) => {
    if (verdict.kind === 'allow' || verdict.kind === 'log') noted = [verdict.kind, verdict.reason, verdict.rule];
  });
  if (end !== undefined) {
    const { kind, reason, rule } = end.verdict;
    const status = end.verdict.kind === 'challenge' ? CHALLENGE_STATUS : end.verdict.status;
    const way = end.verdict.kind === 'challenge' ? end.verdict.way : '';
    const location = end.verdict.kind === 'redirect' ? end.verdict.location : '';
    const source = end.verdict.kind === 'redirect' ? 'redirect' : 'edge';
    const ban = end.verdict.kind === 'block' ? (end.verdict.banSeconds ?? 0) : 0;
    if (ban > 0) ctx.forgetCounts();
    return [
      kind,
      `${status}`,
      reason,
      rule,
      location,
      way,
      `${ban}`,
      '',
      '',
      ...answer(plugins, source, status, {}, '', accept),
    ];
  }
  const host = plugins.originHost ?? request.host;
  const asked = linesOf(changed(request.headers, plugins.originFields, false));
  const { originStatus, originHeaders } = plainCase;
  const cacheStatus = cacheStatusOf(plugins, ctx, { status: originStatus, headers: originHeaders });
  const sent = cacheStatus === undefined ? originHeaders : { ...originHeaders, 'cache-status': cacheStatus };
  const visitorGets = answer(plugins, 'origin', originStatus, sent, `origin of ${host}`, accept);
  if (noted !== undefined) return [noted[0], '', noted[1], noted[2], '', '', '', host, asked, ...visitorGets];
  return ['pass', '', '', '', '', '', '', host, asked, ...visitorGets];
}
