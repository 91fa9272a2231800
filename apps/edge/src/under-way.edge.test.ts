import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { sendRaw } from './testing/raw.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** What a worker keeps of requests that are on their way to origins (`passedRoute`), while there are many of several domains. */

const HOSTS = ['one.test', 'two.test', 'three.test'];
const COUNT = 60;
const WAIT_MS = 20_000;

let held: (() => void)[] = [];
let origin: TestOrigin;
let edge: TestEdge;

const fieldOf = (host: string, value = host) => ({
  name: 'response-transformer',
  config: { add: { headers: [{ name: 'X-Domain', value }] } },
});
const routeOf = (host: string, value?: string) => {
  const upstream = testUpstream([testTarget(origin.port)]);
  const id = `00000000-0000-4000-8000-0000000000${HOSTS.indexOf(host) + 10}`;
  return testRoute({ id, hosts: [host], upstream, plugins: [fieldOf(host, value)] });
};

beforeAll(async () => {
  origin = await startOrigin(async ({ url }, response) => {
    if (url !== '/quick') await new Promise<void>((resolve) => held.push(resolve));
    response.end(url);
  });
  edge = await startEdge({ workers: 1, routes: HOSTS.map((host) => routeOf(host)) });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

const ask = (host: string, path: string) =>
  sendRaw(edge.httpPort, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, WAIT_MS);
const fieldIn = (answer: string) => /^x-domain: (.*)\r$/im.exec(answer)?.[1];

/** Sends requests in turn to all domains, and lets their origin answer once all are there, the last one first. */
async function askTogether(): Promise<string[]> {
  held = [];
  const answers = Array.from({ length: COUNT }, (_, at) => ask(HOSTS[at % HOSTS.length] as string, `/${at}`));
  await vi.waitFor(() => expect(held).toHaveLength(COUNT), { timeout: 10_000 });
  for (const answer of held.toReversed()) answer();
  return Promise.all(answers);
}

it('each answer gets the fields of its own domain', async () => {
  const answers = await askTogether();
  expect(answers.map(fieldIn)).toEqual(answers.map((_, at) => HOSTS[at % HOSTS.length]));
  // Again, where other requests have been in memory.
  const later = await askTogether();
  expect(later.map(fieldIn)).toEqual(later.map((_, at) => HOSTS[at % HOSTS.length]));
});

it('a request that is under way while its domain is deployed is answered, and those after it by the new version', async () => {
  held = [];
  const before = ask('one.test', '/held');
  await vi.waitFor(() => expect(held).toHaveLength(1), { timeout: 10_000 });
  await edge.deploy(routeOf('one.test', 'new'));
  await vi.waitFor(async () => expect(fieldIn(await ask('one.test', '/quick'))).toBe('new'), { timeout: 10_000 });
  held[0]?.();
  const answer = await before;
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(fieldIn(answer)).toBe('new');
});
