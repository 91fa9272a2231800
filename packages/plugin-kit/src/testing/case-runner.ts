import { parseAddress } from '@cordon/contract/address';
import type { AnyEdgeHandler, OriginRequest, Verdict } from '../edge/context.ts';
import { edgeKit } from '../edge/kit.ts';
import { createPlainContext } from '../edge/plain-context.ts';

/** A case with its defaults filled in and its configuration materialised. Plain data, so that it can go to LuaJIT. */
export interface PlainCase {
  readonly config: unknown;
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly from: string;
  readonly country: string;
  readonly crawler: string;
}

/** A verdict as flat data: kind, status, reason, rule, location, Host of the request to the origin. */
export type PlainVerdict = readonly [string, string, string, string, string, string];

function flatten(verdict: Verdict, originHost: string): PlainVerdict {
  if (verdict === undefined) return ['pass', '', '', '', '', originHost];
  if (verdict.kind === 'allow') return ['allow', '', verdict.reason, verdict.rule, '', originHost];
  const location = verdict.kind === 'redirect' ? verdict.location : '';
  return [verdict.kind, `${verdict.status}`, verdict.reason, verdict.rule, location, ''];
}

/** Runs one case through a handler. Emitted as Lua as well: keep to the rules of `edge/context.ts`. */
export function runPlainCase(handler: AnyEdgeHandler, plainCase: PlainCase): PlainVerdict {
  const clientAddress = parseAddress(plainCase.from);
  if (clientAddress === undefined) return ['invalid address', '', '', '', '', ''];
  const ctx = createPlainContext({
    method: plainCase.method,
    scheme: 'https',
    host: plainCase.host,
    path: plainCase.path,
    query: plainCase.query,
    headers: plainCase.headers,
    clientAddress,
    country: plainCase.country,
    crawler: plainCase.crawler,
    now: 1_790_000_000,
  });
  const prepared = handler.prepare(plainCase.config as never, edgeKit);
  const origin: OriginRequest = { host: undefined };
  if (handler.upstream !== undefined) handler.upstream(prepared, origin);
  const verdict = handler.access === undefined ? undefined : handler.access(ctx, prepared);
  return flatten(verdict, origin.host ?? plainCase.host);
}
