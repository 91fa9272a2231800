import { afterAll, beforeAll, expect, it } from 'vitest';
import { AdminClient } from './agent/admin-client.ts';
import { adminSocketIn } from './agent/run-dir.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

let origin: TestOrigin;
let edge: TestEdge;
const CLIENTS = 1100;
const AT_ONCE = 50;

const limited = (host: string) =>
  testRoute({
    hosts: [host],
    upstream: testUpstream([testTarget(origin.port)]),
    plugins: [
      {
        name: 'request-limit',
        config: { banpath: '^/login', findtime: 240, maxretry: 2, bantime: '3h', only_dynamic: false },
      },
    ],
  });
const routes: ReturnType<typeof testRoute>[] = [];

beforeAll(async () => {
  origin = await startOrigin();
  routes.push(limited('flooded.test'), limited('other.test'));
  edge = await startEdge({ routes });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

/** How many bans wait for the agent, by route. */
async function takeAll(): Promise<Map<string, number>> {
  const admin = new AdminClient(adminSocketIn(edge.runDir));
  const waiting = new Map<string, number>();
  let given = await admin.takeBans(undefined);
  while (given.bans !== undefined && given.bans.length > 0) {
    for (const ban of given.bans) {
      const { route_id: route } = JSON.parse(ban) as { route_id: string };
      waiting.set(route, (waiting.get(route) ?? 0) + 1);
    }
    given = await admin.takeBans(given.batch);
  }
  admin.close();
  return waiting;
}

it('bans of one account that wait for an agent leave room for those of others, and its clients are kept out all the same', async () => {
  await edge.killAgent();
  const login = async (host: string, from: string) =>
    [await edge.request(host, { from, path: '/login' }), await edge.request(host, { from, path: '/login' })].at(-1)
      ?.status;
  for (let first = 0; first < CLIENTS; first += AT_ONCE) {
    const clients = Array.from(
      { length: AT_ONCE },
      (_, at) => `45.9.${Math.floor((first + at) / 250)}.${(first + at) % 250}`,
    );
    expect(new Set(await Promise.all(clients.map((from) => login('flooded.test', from))))).toEqual(new Set([429]));
  }
  expect(await login('other.test', '45.8.1.1')).toBe(429);
  const [flooded, other] = routes;
  expect(await takeAll()).toEqual(
    new Map([
      [flooded?.id, 1000],
      [other?.id, 1],
    ]),
  );
});
