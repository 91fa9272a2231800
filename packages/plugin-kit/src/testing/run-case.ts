import type { z } from 'zod';
import type { CaseRequest, PluginCase } from '../cases.ts';
import type { EdgeHandler } from '../edge/context.ts';
import type { PluginDefinition } from '../plugin.ts';
import { readTarget } from '../trace/request-target.ts';
import { withoutNulls } from '../without-nulls.ts';
import { inShapeOf, readOutcome } from './case-outcome.ts';
import { CASE_NOW, type PlainCase, type PlainCaseRequest, runPlainCase } from './case-runner.ts';

/** What the visitor of a case asks for at this time, Unix seconds. */
export const pathAt = ({ path = '/' }: CaseRequest, now: number): string =>
  typeof path === 'string' ? path : path(Math.floor(now));

const lowerCased = (fields: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]));

function toPlainRequest(request: CaseRequest, secondsBefore: number): PlainCaseRequest {
  const { path, query } = readTarget(pathAt(request, CASE_NOW - secondsBefore));
  return {
    method: request.method ?? 'GET',
    host: request.host ?? 'www.example.com',
    path,
    query,
    headers: lowerCased(request.headers),
    from: request.from ?? '203.0.113.7',
    country: request.country ?? '',
    asn: request.asn ?? 0,
    crawler: request.crawler ?? '',
    isPossibleCrawler: request.isPossibleCrawler ?? false,
    proved: request.proved ?? '',
    provedSecondsBefore: request.provedSecondsBefore ?? 1,
    secondsBefore,
  };
}

/** Fills in what a case leaves out. Throws a ZodError when the plugin's schema refuses the configuration. */
export function toPlainCase<Schema extends z.ZodType>(
  definition: PluginDefinition<Schema>,
  pluginCase: PluginCase<z.input<Schema>>,
): PlainCase {
  const { request, before = [], feeds = {}, origin } = pluginCase;
  return {
    plugin: definition.name,
    phase: definition.phase,
    config: withoutNulls(definition.schema.parse(pluginCase.config)),
    resolved: withoutNulls(pluginCase.resolved),
    feeds,
    requests: [
      ...before.flatMap(({ request: earlier, times = 1, secondsBefore = 0 }) =>
        Array.from({ length: times }, () => toPlainRequest(earlier, secondsBefore)),
      ),
      toPlainRequest(request, 0),
    ],
    originStatus: origin?.status ?? 200,
    originHeaders: lowerCased(origin?.headers),
  };
}

/** What the handler really does with the case, in Node; equal to `case.expect` when all is well. */
export function runCase<Schema extends z.ZodType, Prepared, Resolved>(
  definition: PluginDefinition<Schema>,
  handler: EdgeHandler<z.output<Schema>, Prepared, Resolved>,
  pluginCase: PluginCase<z.input<Schema>>,
): PluginCase<unknown>['expect'] {
  const outcome = readOutcome(runPlainCase(handler as never, toPlainCase(definition, pluginCase)));
  const { reason } = outcome;
  if (reason !== '' && !definition.reasons.includes(reason))
    throw new Error(`reason ${reason} is not declared in plugin.ts`);
  return inShapeOf(outcome, pluginCase.expect);
}
