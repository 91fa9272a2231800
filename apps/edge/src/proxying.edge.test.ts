import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

let edge: TestEdge;
let origin: TestOrigin;

beforeAll(async () => {
  origin = await startOrigin((request, response) => {
    response.setHeader('x-seen-host', request.headers.host ?? '');
    response.end(`origin ${request.method} ${request.url}`);
  });
  edge = await startEdge({
    routes: [testRoute({ hosts: ['site.test'], upstream: testUpstream([testTarget(origin.port)]) })],
  });
});

afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

describe('a route', () => {
  it('leads to its origin', async () => {
    const answer = await edge.request('site.test', { path: '/a%20b/../c?d=e' });
    expect(answer).toMatchObject({ status: 200, body: 'origin GET /a%20b/../c?d=e' });
    expect(answer.headers['x-seen-host']).toBe('site.test');
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
  });
});
