import type { EdgeRoute } from '@cordon/contract/edge-config';
import { definitions } from '@cordon/plugins/definitions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

let origin: TestOrigin;
let edge: TestEdge;
let route: EdgeRoute;

const configOf = (name: string, config: object = {}) =>
  definitions.find((definition) => definition.name === name)?.schema.parse(config);

/** What the origin answers, by path without query. */
const answers = new Map<string, { status?: number; headers?: Record<string, string>; body?: string }>();
const asked = (path: string) => origin.requests.filter(({ url }) => url?.split('?')[0] === path).length;

beforeAll(async () => {
  origin = await startOrigin((request, response) => {
    const { status = 200, headers = {}, body } = answers.get(request.url?.split('?')[0] ?? '') ?? {};
    response.writeHead(status, headers).end(body ?? `answer ${origin.requests.length}`);
  });
  route = testRoute({
    hosts: ['cached.test'],
    upstream: testUpstream([testTarget(origin.port)]),
    plugins: [{ name: 'advance-proxy-cache', config: configOf('advance-proxy-cache') }],
  });
  edge = await startEdge({ routes: [route] });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

describe('caching', () => {
  it('answers from what is stored', async () => {
    answers.set('/fresh', { headers: { 'Cache-Control': 'max-age=60', 'X-Own': 'yes' } });
    const first = await edge.request('cached.test', { path: '/fresh' });
    const second = await edge.request('cached.test', { path: '/fresh' });
    expect(asked('/fresh')).toBe(1);
    expect(first.headers['cache-status']).toBe('Cordon; fwd=uri-miss; fwd-status=200; stored; ttl=60');
    expect(second.headers['cache-status']).toMatch(/^Cordon; hit; ttl=(60|59)$/);
    expect(second.body).toBe(first.body);
    expect(second.headers['cache-control']).toBe('max-age=60');
    expect(second.headers['x-own']).toBe('yes');
    expect(second.headers.age).toMatch(/^[01]$/);
    console.log(first, second);
  });
});
