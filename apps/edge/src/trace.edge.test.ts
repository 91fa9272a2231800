import type { IncomingHttpHeaders } from 'node:http';
import type { EdgeRoute } from '@cordon/contract/edge-config';
import { type HeaderField, REQUEST_ID_PLACEHOLDER, traceRequest } from '@cordon/plugin-kit/trace';
import { handlers } from '@cordon/plugins/handlers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testSettings, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** The trace says what the origin gets; here it is compared with what a real nginx sends. */

const HOST = 'traced.test';
const seen: IncomingHttpHeaders[] = [];
let origin: TestOrigin;
let edge: TestEdge;
let route: EdgeRoute;

beforeAll(async () => {
  origin = await startOrigin((request, response) => {
    seen.push(request.headers);
    response.end('ok');
  });
  route = testRoute({
    hosts: [HOST],
    upstream: testUpstream([testTarget(origin.port)]),
    plugins: [{ name: 'upstream-host', config: { hostname: 'bucket.storage.example' } }],
  });
  edge = await startEdge({ routes: [route] });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

const CASES: readonly (readonly [string, readonly HeaderField[]])[] = [
  [
    'ordinary',
    [
      { name: 'Accept', value: 'text/html' },
      { name: 'Cookie', value: 'a=1; b=2' },
    ],
  ],
  [
    'forged',
    [
      { name: 'X-Forwarded-Host', value: 'evil.test' },
      { name: 'X-Real-IP', value: '10.0.0.1' },
      { name: 'Forwarded', value: 'for=10.0.0.1' },
      { name: 'X-Request-Id', value: 'mine' },
      { name: 'X-Accel-Redirect', value: '/etc' },
      { name: 'Cordon-Country', value: 'XX' },
      { name: 'X-Forwarded-Whatever', value: 'x' },
    ],
  ],
  [
    'meant for one hop',
    [
      { name: 'Connection', value: 'X-Hop, keep-alive, cookie' },
      { name: 'X-Hop', value: 'gone' },
      { name: 'Cookie', value: 'stays=1' },
      { name: 'TE', value: 'trailers' },
      { name: 'Proxy', value: 'http://x' },
      { name: 'Keep-Alive', value: 'timeout=5' },
      { name: 'Upgrade', value: 'h2c' },
    ],
  ],
  ['seen by another CDN', [{ name: 'CDN-Loop', value: 'other-cdn' }]],
  [
    'with a name that nginx does not take',
    [
      { name: 'X_Under', value: 'gone' },
      { name: 'X-Good', value: 'stays' },
    ],
  ],
];

it.each(CASES)('a request that is %s reaches the origin as the trace says', async (_, fields) => {
  const settings = testSettings();
  const headers = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
  seen.length = 0;
  const answer = await edge.request(HOST, { headers, from: '198.41.128.7', country: 'DE' });
  expect(answer.status).toBe(200);
  const trace = traceRequest(
    route,
    {
      method: 'GET',
      scheme: 'http',
      host: HOST,
      path: '/',
      query: '',
      headers: fields,
      clientAddress: '198.41.128.7',
      country: 'DE',
      crawler: '',
      isPreview: false,
    },
    { handlers, cdnLoopId: settings.cdn_loop_id, now: Date.now() / 1000 },
  );
  const { 'x-request-id': requestId, connection: _connection, ...got } = seen[0] ?? {};
  expect(requestId).toMatch(/^[0-9a-f]{32}$/);
  const told = Object.fromEntries(trace.sent.map(({ name, value }) => [name.toLowerCase(), value]));
  expect(told['x-request-id']).toBe(REQUEST_ID_PLACEHOLDER);
  const { 'x-request-id': _id, connection: _own, ...rest } = told;
  expect(rest).toEqual(got);
  // The edge sends an X-Request-Id of its own in place of the dropped one.
  for (const { name } of trace.dropped.filter(({ name }) => name !== 'X-Request-Id'))
    expect(told[name.toLowerCase()] ?? '').not.toBe('gone');
});
