import type { z } from 'zod';
import type { PluginCase } from '../cases.ts';
import type { EdgeHandler } from '../edge/context.ts';
import type { PluginDefinition } from '../plugin.ts';
import { type PlainCase, type PlainVerdict, runPlainCase } from './case-runner.ts';

/** Fills in what a case leaves out. Throws a ZodError when the plugin's schema refuses the configuration. */
export function toPlainCase<Schema extends z.ZodType>(
  definition: PluginDefinition<Schema>,
  pluginCase: PluginCase<z.input<Schema>>,
): PlainCase {
  const { request } = pluginCase;
  const [path = '/', query = ''] = (request.path ?? '/').split(/\?(.*)/s);
  return {
    config: definition.schema.parse(pluginCase.config),
    method: request.method ?? 'GET',
    host: request.host ?? 'www.example.com',
    path,
    query,
    headers: Object.fromEntries(
      Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    ),
    from: request.from ?? '203.0.113.7',
    country: request.country ?? '',
    crawler: request.crawler ?? '',
  };
}

/** Puts a flat verdict into the shape of `PluginCase.expect`, without the rule where the case expects none. */
export function toExpectation(
  verdict: PlainVerdict,
  expected: PluginCase<unknown>['expect'],
): PluginCase<unknown>['expect'] {
  const [kind, status, reason, rule, location, host] = verdict;
  const ruleIfAsked = 'rule' in expected && expected.rule !== undefined ? { rule } : {};
  if (kind === 'pass') return { verdict: 'pass', ...('origin' in expected ? { origin: { host } } : {}) };
  if (kind === 'allow') return { verdict: 'allow', reason, ...ruleIfAsked };
  if (kind === 'block') return { verdict: 'block', status: Number(status), reason, ...ruleIfAsked };
  if (kind === 'redirect') return { verdict: 'redirect', status: Number(status), reason, location };
  throw new Error(`the handler answered ${kind}`);
}

/** What the handler really does with the case, in Node; equal to `case.expect` when all is well. */
export function runCase<Schema extends z.ZodType, Prepared>(
  definition: PluginDefinition<Schema>,
  handler: EdgeHandler<z.output<Schema>, Prepared>,
  pluginCase: PluginCase<z.input<Schema>>,
): PluginCase<unknown>['expect'] {
  const verdict = runPlainCase(handler, toPlainCase(definition, pluginCase));
  const reason = verdict[2];
  if (reason !== '' && !definition.reasons.includes(reason))
    throw new Error(`reason ${reason} is not declared in plugin.ts`);
  return toExpectation(verdict, pluginCase.expect);
}
