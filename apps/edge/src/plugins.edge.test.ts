import type { AccessLogRow, EdgeRoute } from '@cordon/contract/edge-config';
import type { CaseRequest, PluginCase } from '@cordon/plugin-kit';
import type { ChallengeWay } from '@cordon/plugin-kit/edge';
import { type CaseOutcome, inShapeOf, pathAt } from '@cordon/plugin-kit/testing';
import { cases } from '@cordon/plugins/cases';
import { definitions } from '@cordon/plugins/definitions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { passOf } from './testing/prove.ts';
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

/** nginx's clock and its DNS are real. */
const runsNow = ({ before = [], request }: PluginCase<unknown>) =>
  request.isPossibleCrawler !== true && before.every(({ secondsBefore = 0 }) => secondsBefore === 0);

const nginxCases: readonly NginxCase[] = definitions.flatMap((definition) =>
  (cases[definition.name] ?? []).filter(runsNow).map((pluginCase, index) => ({
    plugin: definition.name,
    pluginCase,
    host: pluginCase.request.host ?? `case-${index}.${definition.name}.test`,
    config: definition.schema.parse(pluginCase.config) as Record<string, unknown>,
  })),
);

/** Several of one name joined, as `PluginCase` has them. */
const joined = (headers: Readonly<Record<string, string | string[] | undefined>>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );

/** What nginx did, by its answer, its log and what the origin saw. */
function outcomeOf(answer: EdgeAnswer, row: AccessLogRow): CaseOutcome {
  const requestId = String(answer.headers['x-request-id']);
  return {
    kind: row.action === '' ? 'pass' : row.action,
    status: answer.status,
    reason: row.reason,
    rule: row.rule,
    location: String(answer.headers.location),
    way: row.action === 'challenge' ? String(answer.headers['cordon-challenge']) : '',
    banSeconds: edge.control.bans.find(({ request_id }) => request_id === requestId)?.seconds ?? 0,
    origin: asked.get(requestId) ?? { host: '', fields: {} },
    answer: {
      status: answer.status,
      fields: joined(answer.headers),
      body: answer.body.replaceAll(requestId, '{{request_id}}'),
    },
  };
}

/** The same of an answer for which a second had begun since it was made. */
const aSecondBefore = (expected: unknown): unknown =>
  JSON.parse(JSON.stringify(expected).replace(/; ttl=(\d+)/, (_, seconds) => `; ttl=${Number(seconds) - 1}`));

/** One for a client and route, however often it proves itself: proofs of another second would be other ones. */
const passes = new Map<string, string>();
function passFor(routeId: string, from: string, way: ChallengeWay, secondsBefore: number): string {
  const key = `${routeId} ${from} ${way} ${secondsBefore}`;
  const pass = passes.get(key) ?? passOf(routeId, from, way, undefined, Math.floor(Date.now() / 1000) - secondsBefore);
  passes.set(key, pass);
  return pass;
}

function send(edge: TestEdge, request: CaseRequest, host: string): Promise<EdgeAnswer> {
  const from = request.from ?? '203.0.113.7';
  const { id = '' } = routes.find((route) => route.hosts.some(({ name }) => name === host)) ?? {};
  const { proved, provedSecondsBefore = 0 } = request;
  const pass: Record<string, string> =
    proved === undefined
      ? {}
      : {
          cookie: `${proved === 'wait' ? 'cordon_wait' : 'cordon_pass'}=${passFor(id, from, proved, provedSecondsBefore)}`,
        };
  return edge.request(host, {
    method: request.method ?? 'GET',
    path: pathAt(request, Date.now() / 1000),
    headers: { ...request.headers, ...pass },
    from,
    ...(request.country === undefined ? {} : { country: request.country }),
    ...(request.asn === undefined ? {} : { asn: request.asn }),
  });
}

/** What the origin was asked for, by the id of the request. */
const asked = new Map<string, CaseOutcome['origin']>();
let routes: EdgeRoute[] = [];
let origin: TestOrigin;
let edge: TestEdge;
const answers = new Map<NginxCase, EdgeAnswer>();

beforeAll(async () => {
  origin = await startOrigin((request, response) => {
    const { host = '', ...fields } = request.headers;
    asked.set(String(fields['x-request-id']), { host, fields: joined(fields) });
    // The visited name: the origin may be asked for another one.
    const ofCase = nginxCases.find((nginxCase) => nginxCase.host === fields['x-forwarded-host']);
    const { status = 200, headers = {} } = ofCase?.pluginCase.origin ?? {};
    response.writeHead(status, headers).end(`origin of ${host}`);
  });
  const upstream = testUpstream([testTarget(origin.port)]);
  routes = nginxCases.map(({ plugin, pluginCase, host, config }) => {
    const { resolved } = pluginCase;
    return testRoute({
      hosts: [host],
      upstream,
      plugins: [{ name: plugin, config, ...(resolved === undefined ? {} : { resolved }) }],
    });
  });
  const feeds = routes.flatMap(({ id }, index) =>
    Object.entries(nginxCases[index]?.pluginCase.feeds ?? {}).flatMap(([feed, networks]) =>
      networks.map((network) => ({ feed, scope: id, network, until: null })),
    ),
  );
  edge = await startEdge({ routes, feeds });
  // All at first, because the edge sends its log about once a second.
  for (const nginxCase of nginxCases) {
    const { pluginCase, host } = nginxCase;
    for (const { request, times = 1 } of pluginCase.before ?? [])
      for (let count = 0; count < times; count++) await send(edge, request, host);
    answers.set(nginxCase, await send(edge, pluginCase.request, host));
  }
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
    if ('banSeconds' in pluginCase.expect)
      await edge.control.until(() => edge.control.bans.some((ban) => ban.request_id === requestId), 'the ban');
    expect(row.plugin).toBe(pluginCase.expect.verdict === 'pass' ? '' : name);
    const outcome = inShapeOf(outcomeOf(answer, row), pluginCase.expect);
    expect([pluginCase.expect, aSecondBefore(pluginCase.expect)]).toContainEqual(outcome);
  });
});
