import type { AccessLogRow, EdgeRoute } from '@cordon/contract/edge-config';
import type { PluginCase } from '@cordon/plugin-kit';
import { cases } from '@cordon/plugins/cases';
import { definitions } from '@cordon/plugins/definitions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { type EdgeAnswer, startEdge, type TestEdge } from './testing/start-edge.ts';

/** The third run of every plugin's cases: in Node and under LuaJIT they run beside the plugins. */

interface NginxCase {
  readonly plugin: string;
  readonly pluginCase: PluginCase<unknown>;
  /** Each case has a route of its own, found by its own name. */
  readonly host: string;
  readonly config: Record<string, unknown>;
}

const nginxCases: readonly NginxCase[] = definitions.flatMap((definition) =>
  (cases[definition.name] ?? []).map((pluginCase, index) => ({
    plugin: definition.name,
    pluginCase,
    host: pluginCase.request.host ?? `case-${index}.${definition.name}.test`,
    config: definition.schema.parse(pluginCase.config) as Record<string, unknown>,
  })),
);

/** What nginx did, in the shape of `PluginCase.expect`; the rule only where the case expects one. */
function happened(
  answer: EdgeAnswer,
  row: AccessLogRow,
  expected: PluginCase<unknown>['expect'],
): PluginCase<unknown>['expect'] {
  const rule = 'rule' in expected && expected.rule !== undefined ? { rule: row.rule } : {};
  if (row.action === 'block') return { verdict: 'block', status: answer.status, reason: row.reason, ...rule };
  if (row.action === 'redirect')
    return {
      verdict: 'redirect',
      status: answer.status,
      reason: row.reason,
      location: String(answer.headers.location),
    };
  if (row.action === 'allow') return { verdict: 'allow', reason: row.reason, ...rule };
  expect(answer.status).toBe(200);
  const asked = /^origin of (.*)$/.exec(answer.body)?.[1] ?? answer.body;
  return { verdict: 'pass', ...('origin' in expected ? { origin: { host: asked } } : {}) };
}

function send(edge: TestEdge, { pluginCase: { request }, host }: NginxCase): Promise<EdgeAnswer> {
  return edge.request(host, {
    method: request.method ?? 'GET',
    path: request.path ?? '/',
    headers: request.headers ?? {},
    from: request.from ?? '203.0.113.7',
    ...(request.country === undefined ? {} : { country: request.country }),
  });
}

let origin: TestOrigin;
let edge: TestEdge;
const answers = new Map<NginxCase, EdgeAnswer>();

beforeAll(async () => {
  origin = await startOrigin((request, response) => response.end(`origin of ${request.headers.host}`));
  const upstream = testUpstream([testTarget(origin.port)]);
  const routes: EdgeRoute[] = nginxCases.map(({ plugin, host, config }) =>
    testRoute({ hosts: [host], upstream, plugins: [{ name: plugin, config }] }),
  );
  edge = await startEdge({ routes });
  // All at first, because the edge sends its log about once a second.
  for (const nginxCase of nginxCases) answers.set(nginxCase, await send(edge, nginxCase));
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

describe.each(definitions.map(({ name }) => name))('%s in nginx', (name) => {
  const ofPlugin = nginxCases.filter(({ plugin }) => plugin === name);
  it.each(ofPlugin.map((nginxCase) => [nginxCase.pluginCase.name, nginxCase] as const))('%s', async (_, nginxCase) => {
    const { pluginCase, host } = nginxCase;
    const answer = answers.get(nginxCase) as EdgeAnswer;
    // By its id, because the agent's probe of the route is logged under the same host.
    const requestId = answer.headers['x-request-id'];
    const row = await edge.control.row((candidate) => candidate.request_id === requestId, `the row of ${host}`);
    expect(row.plugin).toBe(pluginCase.expect.verdict === 'pass' ? '' : name);
    expect(happened(answer, row, pluginCase.expect)).toEqual(pluginCase.expect);
  });
});
