import type { PluginCase } from '@cordon/plugin-kit';
import { cases } from '@cordon/plugins/cases';
import { definitions } from '@cordon/plugins/definitions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crawlers } from './crawlers/crawlers.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { type EdgeAnswer, startEdge, type TestEdge } from './testing/start-edge.ts';

/** The third run of every plugin's cases: a real nginx (the first two, in Node and LuaJIT, are the plugins' own). */
let edge: TestEdge;
let origin: TestOrigin;

const all = definitions.flatMap((definition) =>
  (cases[definition.name] ?? []).map((pluginCase, at) => ({
    definition,
    pluginCase,
    host: `case-${at}.${definition.name}.test`,
    title: `${definition.name}: ${pluginCase.name}`,
  })),
);

beforeAll(async () => {
  origin = await startOrigin((_, response) => response.end('origin'));
  edge = await startEdge({
    routes: all.map(({ definition, pluginCase, host }) =>
      testRoute({
        hosts: [host],
        upstream: testUpstream([testTarget(origin.port)]),
        plugins: [
          { name: definition.name, config: definition.schema.parse(pluginCase.config) as Record<string, unknown> },
        ],
      }),
    ),
  });
  await visitAll();
});

afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

/** An address that nginx itself finds to be the crawler. */
function addressOf({ from, crawler }: PluginCase<unknown>['request']): string {
  if (crawler === undefined || crawler === '') return from ?? '203.0.113.7';
  const known = crawlers.find(({ name, ranges }) => name === crawler && ranges.length > 0);
  if (!known) throw new Error(`No published range of ${crawler}: the case cannot run in nginx`);
  return from ?? (known.ranges[0] as string).replace(/\.0\/\d+$/, '.1').replace(/\/\d+$/, '1');
}

const answers = new Map<string, EdgeAnswer>();

/** All at once: rows of the log come once a second. */
async function visitAll(): Promise<void> {
  for (const { pluginCase, host } of all) {
    const { request } = pluginCase;
    const answer = await edge.request(host, {
      from: addressOf(request),
      country: request.country ?? '',
      ...(request.method === undefined ? {} : { method: request.method }),
      ...(request.path === undefined ? {} : { path: request.path }),
      ...(request.headers === undefined ? {} : { headers: request.headers }),
    });
    answers.set(host, answer);
  }
}

describe('in nginx', () => {
  it.each(all)('$title', async ({ definition, pluginCase, host }) => {
    const expected = pluginCase.expect;
    const answer = answers.get(host) as EdgeAnswer;
    const row = await edge.control.row(({ request_id }) => request_id === answer.headers['x-request-id']);
    if (expected.verdict === 'pass') {
      expect(answer.status).toBe(200);
      expect(row).toMatchObject({ plugin: '', action: '', reason: '' });
    } else {
      const { verdict } = expected;
      expect(row).toMatchObject({
        plugin: definition.name,
        action: verdict,
        ...('reason' in expected ? { reason: expected.reason } : {}),
        ...('rule' in expected && expected.rule !== undefined ? { rule: expected.rule } : {}),
      });
      if ('status' in expected) expect(answer.status).toBe(expected.status);
      if ('location' in expected) expect(answer.headers.location).toBe(expected.location);
    }
  });
});
