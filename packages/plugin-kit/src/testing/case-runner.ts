import { parseAddress } from '@cordon/contract/address';
import type { AnyEdgeHandler, HeaderField } from '../edge/context.ts';
import { edgeKit } from '../edge/kit.ts';
import type { Phase } from '../edge/phases.ts';
import {
  isRepeatableField,
  type PreparedPlugins,
  pipelineStart,
  preparePlugins,
  runPipeline,
} from '../edge/pipeline.ts';
import { createPlainContext } from '../edge/plain-context.ts';

/** A case with its defaults filled in and its configuration materialised. Plain data, so that it can go to LuaJIT. */
export interface PlainCase {
  readonly plugin: string;
  readonly phase: Phase;
  readonly config: unknown;
  readonly resolved: unknown;
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly from: string;
  readonly country: string;
  readonly crawler: string;
  readonly originStatus: number;
  readonly originHeaders: Readonly<Record<string, string>>;
}

/**
 * What came of a case, as flat data: kind, status, reason and rule of the verdict, location; Host and fields that the
 * origin was asked with; status, fields and body that the visitor got. Fields are lines of `name: value`.
 */
export type PlainOutcome = readonly string[];

const linesOf = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

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
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): string[] {
  const page = plugins.errorPages.find((candidate) => candidate.status === status);
  const fields = changed(headers, plugins.responseFields, true);
  if (page === undefined) return [`${status}`, linesOf(fields), body];
  fields['content-type'] = page.contentType;
  return [`${status}`, linesOf(fields), page.body];
}

/** Runs one case through a handler. Emitted as Lua as well: keep to the rules of `edge/context.ts`. */
export function runPlainCase(handler: AnyEdgeHandler, plainCase: PlainCase): PlainOutcome {
  const clientAddress = parseAddress(plainCase.from);
  if (clientAddress === undefined) return ['invalid address'];
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
  const name = plainCase.plugin;
  const entry = { name, config: plainCase.config, resolved: plainCase.resolved };
  const registry = { [name]: { phase: plainCase.phase, handler } };
  const plugins = preparePlugins([entry], registry, edgeKit, () => {});
  let allowed: [string, string] | undefined;
  const end = runPipeline(plugins.deciders, ctx, pipelineStart(), (_, verdict) => {
    if (verdict !== undefined && verdict.kind === 'allow') allowed = [verdict.reason, verdict.rule];
  });
  if (end !== undefined) {
    const { kind, status, reason, rule } = end.verdict;
    const location = end.verdict.kind === 'redirect' ? end.verdict.location : '';
    return [kind, `${status}`, reason, rule, location, '', '', ...answer(plugins, status, {}, '')];
  }
  const host = plugins.originHost ?? plainCase.host;
  const asked = linesOf(changed(plainCase.headers, plugins.originFields, false));
  const visitorGets = answer(plugins, plainCase.originStatus, plainCase.originHeaders, `origin of ${host}`);
  if (allowed !== undefined) return ['allow', '', allowed[0], allowed[1], '', host, asked, ...visitorGets];
  return ['pass', '', '', '', '', host, asked, ...visitorGets];
}
