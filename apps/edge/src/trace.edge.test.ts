import type { IncomingHttpHeaders } from 'node:http';
import type { EdgeRoute } from '@cordon/contract/edge-config';
import { type HeaderField, REQUEST_ID_PLACEHOLDER, traceRequest } from '@cordon/plugin-kit/trace';
import { handlers } from '@cordon/plugins/handlers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testSettings, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** The trace says what the origin and the visitor get; here it is compared with what a real nginx sends. */

const HOST = 'traced.test';
const PAGED = 'traced-page.test';
const UNPAGED = 'traced-brand.test';
const LED = 'traced-redirect.test';
const FORCED = 'traced-https.test';
const VISITOR = '198.41.128.7';
const refusing = {
  name: 'ip-restriction',
  config: { allow: [], deny: [VISITOR], whitelistMode: false, blacklistMode: true, allow_spiders: false },
};
const leading = { name: 'redirect', config: { redirect_url: 'https://new.example.org/', preserve_path: false } };
const answering = {
  name: 'response-transformer',
  config: { add: { headers: [{ name: 'X-Of-Customer', value: 'yes' }] } },
};
const paging = {
  name: 'custom-error-page',
  config: { error_403: 'https://pages.example/403' },
  resolved: { pages: [{ status: 403, contentType: 'text/html; charset=utf-8', body: 'own page' }] },
};
const seen: IncomingHttpHeaders[] = [];
let origin: TestOrigin;
let edge: TestEdge;
let route: EdgeRoute;
let answerRoutes: Readonly<Record<string, EdgeRoute>>;

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
  const { upstream } = route;
  answerRoutes = {
    [PAGED]: testRoute({ hosts: [PAGED], upstream, plugins: [refusing, answering, paging] }),
    [UNPAGED]: testRoute({ hosts: [UNPAGED], upstream, plugins: [refusing, answering] }),
    [LED]: testRoute({ hosts: [LED], upstream, plugins: [leading, answering, paging] }),
    [FORCED]: testRoute({ hosts: [FORCED], upstream, plugins: [refusing, answering], https: { force: true } }),
  };
  edge = await startEdge({ routes: [route, ...Object.values(answerRoutes)] });
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
      { name: 'True-Client-IP', value: 'gone' },
      { name: 'X-Original-URL', value: 'gone' },
      { name: 'Cordon-', value: 'gone' },
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

const trace = (
  of: EdgeRoute,
  host: string,
  headers: readonly HeaderField[],
  asked: { readonly method?: string; readonly path?: string; readonly query?: string } = {},
) =>
  traceRequest(
    of,
    {
      method: 'GET',
      scheme: 'http',
      host,
      path: '/',
      query: '',
      ...asked,
      headers,
      clientAddress: VISITOR,
      country: 'DE',
      asn: 0,
      crawler: '',
      isPreview: false,
    },
    { handlers, cdnLoopId: testSettings().cdn_loop_id, now: Date.now() / 1000 },
  );

it.each(CASES)('a request that is %s reaches the origin as the trace says', async (_, fields) => {
  const headers = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
  seen.length = 0;
  const answer = await edge.request(HOST, { headers, from: VISITOR, country: 'DE' });
  expect(answer.status).toBe(200);
  const { sent, dropped } = trace(route, HOST, fields);
  const { 'x-request-id': requestId, connection: _connection, ...got } = seen[0] ?? {};
  expect(requestId).toMatch(/^[0-9a-f]{32}$/);
  const traced = Object.fromEntries(sent.map(({ name, value }) => [name.toLowerCase(), value]));
  expect(traced['x-request-id']).toBe(REQUEST_ID_PLACEHOLDER);
  const { 'x-request-id': _id, connection: _own, ...rest } = traced;
  expect(rest).toEqual(got);
  // The edge sends an X-Request-Id of its own in place of the dropped one.
  for (const { name } of dropped.filter(({ name }) => name !== 'X-Request-Id'))
    expect(traced[name.toLowerCase()] ?? '').not.toBe('gone');
});

it.each([
  ['a refusal with a page of the customer’s', PAGED, 403, true, true],
  ['a refusal with the brand’s page', UNPAGED, 403, false, false],
  ['a redirect', LED, 302, true, false],
] as const)('a visitor gets %s with what the trace says of it', async (_, host, status, hasFields, hasPage) => {
  const answer = await edge.request(host, { from: VISITOR, country: 'DE' });
  expect(answer.status).toBe(status);
  expect(answer.headers['x-of-customer']).toBe(hasFields ? 'yes' : undefined);
  expect(answer.body.startsWith('own page')).toBe(hasPage);
  const { steps, answer: traced } = trace(answerRoutes[host] as EdgeRoute, host, []);
  expect(traced.status).toBe(status);
  const changing = steps.filter(({ outcome }) => outcome === 'changes').map(({ plugin }) => plugin);
  expect(changing).toEqual([...(hasFields ? ['response-transformer'] : []), ...(hasPage ? ['custom-error-page'] : [])]);
});

it.each([
  ['GET', '/a?b=c'],
  ['POST', '/a'],
  ['GET', '/.well-known/acme-challenge/token'],
] as const)('%s %s of a domain that forces HTTPS goes where the trace says', async (method, target) => {
  const answer = await edge.request(FORCED, { method, path: target, from: VISITOR, country: 'DE' });
  const [path = '', query = ''] = target.split('?');
  const { steps, answer: traced } = trace(answerRoutes[FORCED] as EdgeRoute, FORCED, [], { method, path, query });
  expect(traced.status).toBe(answer.status);
  const location = steps.find(({ step }) => step === 'https')?.location;
  expect(location).toBe(answer.headers.location ?? '');
  expect(steps.filter(({ step, outcome }) => step === 'plugin' && outcome !== 'not_reached')).toHaveLength(
    location === '' ? 1 : 0,
  );
});
