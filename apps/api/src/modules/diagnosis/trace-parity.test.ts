import { buildAddressSet, matchAddressSet, parseAddress, type RouteConfig, upstreams } from '@cordon/contract';
import type { PluginCase } from '@cordon/plugin-kit';
import type { FeedEntry } from '@cordon/plugin-kit/edge';
import { type CaseOutcome, inShapeOf, pathAt } from '@cordon/plugin-kit/testing';
import { isSecretField, readTarget, type Trace, type TracedRequest, traceRequest } from '@cordon/plugin-kit/trace';
import { cases } from '@cordon/plugins/cases';
import { definitions, findDefinition } from '@cordon/plugins/definitions';
import { handlers } from '@cordon/plugins/handlers';
import { describe, expect, it } from 'vitest';
import { toEdgeRoute } from '../publishing/edge-payload.ts';

/**
 * The cases of every plugin through the trace, from the configuration that a customer saves to what the console shows.
 * They are the same cases that run in a real nginx (`apps/edge/src/plugins.edge.test.ts`).
 */

type Expectation = PluginCase<unknown>['expect'];

function run(plugin: string, pluginCase: PluginCase<unknown>): Trace {
  const { request } = pluginCase;
  const definition = findDefinition(plugin);
  const host = request.host ?? 'www.example.com';
  const config: RouteConfig = {
    traffic_action: 'upstream',
    upstreams: upstreams.parse({ protocol: 'http', targets: [{ host: '8.8.4.4' }] }),
    plugins: [
      { name: plugin, enabled: true, config: definition?.schema.parse(pluginCase.config) as Record<string, unknown> },
    ],
  };
  const route = toEdgeRoute({
    id: '00000000-0000-4000-8000-000000000001',
    account_id: '00000000-0000-4000-8000-000000000002',
    czone: 'vip01',
    version: 1,
    names: [{ name: host, isVerified: true }],
    isPaused: false,
    tier: 'vip',
    brand: 'cordon',
    config,
  });
  const { path, query } = readTarget(pathAt(request, 1_790_000_000));
  const traced: TracedRequest = {
    method: request.method ?? 'GET',
    scheme: 'https',
    host,
    path,
    query,
    headers: Object.entries(request.headers ?? {}).map(([name, value]) => ({ name, value })),
    clientAddress: request.from ?? '203.0.113.7',
    country: request.country ?? '',
    asn: request.asn ?? 0,
    crawler: request.crawler ?? '',
    isPreview: false,
  };
  const feeds: Record<string, FeedEntry | undefined> = {};
  const client = parseAddress(traced.clientAddress);
  for (const [name, networks] of Object.entries(pluginCase.feeds ?? {})) {
    const network = client && matchAddressSet(buildAddressSet(networks), client);
    if (network !== undefined) feeds[name] = { network, until: 0 };
  }
  return traceRequest(route, traced, { handlers, cdnLoopId: 'cordon-test', now: 1_790_000_000, feeds });
}

/** What the trace says came of the case: all but the answer, of which it knows only the status. */
function said(trace: Trace, plugin: string, expected: Expectation): Expectation {
  const step = trace.steps.find((one) => one.plugin === plugin);
  if (!step) throw new Error(`no step of ${plugin}`);
  const isDecided = ['block', 'challenge', 'log', 'allow', 'redirect'].includes(step.outcome);
  const outcome: CaseOutcome = {
    kind: isDecided ? (step.outcome as CaseOutcome['kind']) : 'pass',
    status: step.status ?? 0,
    reason: step.reason,
    rule: step.rule,
    location: step.location,
    way: step.outcome === 'challenge' ? step.detail : '',
    banSeconds: 0,
    origin: {
      host: trace.upstream?.hostHeader ?? '',
      fields: Object.fromEntries(trace.sent.map(({ name, value }) => [name.toLowerCase(), value])),
    },
    answer: { status: trace.answer.status ?? 0, fields: {}, body: '' },
  };
  return inShapeOf(outcome, expected);
}

/** What the trace can show of an expectation: no answer, and no values of fields that hold credentials. */
function traceableOf({ request, expect: expected }: PluginCase<unknown>): Expectation {
  const { answer: _answer, ...rest } = expected;
  if (rest.verdict !== 'pass' || !rest.origin?.fields) return rest;
  const isVisitors = (field: string) => Object.keys(request.headers ?? {}).some((name) => name.toLowerCase() === field);
  const fields = Object.entries(rest.origin.fields).map(([name, value]) => {
    const isHidden = value !== null && isSecretField(name) && !isVisitors(name);
    return [name, isHidden ? '{secret}' : value];
  });
  return { ...rest, origin: { ...rest.origin, fields: Object.fromEntries(fields) } };
}

const traceable = definitions.filter(({ name }) => cases[name]?.some(({ before }) => before === undefined));

describe.each(traceable.map(({ name }) => name))('%s in the trace', (plugin) => {
  // The trace knows nothing of earlier requests, proofs and DNS that is silent.
  const own = (cases[plugin] ?? []).filter(
    ({ before, request }) =>
      before === undefined && request.proved === undefined && request.isPossibleCrawler === undefined,
  );
  it.each(own.map((pluginCase) => [pluginCase.name, pluginCase] as const))('%s', (_, pluginCase) => {
    const trace = run(plugin, pluginCase);
    const expected = traceableOf(pluginCase);
    expect(said(trace, plugin, expected)).toEqual(expected);
    const { verdict } = pluginCase.expect;
    const isEnd = verdict === 'block' || verdict === 'challenge' || verdict === 'redirect';
    expect(trace.answer.kind).toBe(isEnd ? verdict : 'origin');
  });
});
