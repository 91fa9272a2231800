import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** Product design, "geoip": off, each plugin refuses alone; on, passing one of the two is enough. */

const HOSTS = { combined: 'combined.test', apart: 'apart.test' } as const;
const ALLOWED = '8.8.8.8';
const OTHER = '198.41.128.7';
const DENIED = '8.8.9.9';

let origin: TestOrigin;
let edge: TestEdge;

beforeAll(async () => {
  origin = await startOrigin();
  const upstream = testUpstream([testTarget(origin.port)]);
  const restriction = {
    allow: ['8.8.8.0/23'],
    deny: [DENIED],
    whitelistMode: true,
    blacklistMode: true,
    allow_spiders: false,
  };
  const route = (host: string, isCombined: boolean) =>
    testRoute({
      hosts: [host],
      upstream,
      plugins: [
        { name: 'ip-restriction', config: restriction },
        {
          name: 'geoip',
          config: {
            mode: 'Whitelist',
            blacklist_countries: [],
            whitelist_countries: ['DE'],
            whitelist_ips: [],
            combine_geoip: isCombined,
          },
        },
      ],
    });
  edge = await startEdge({ routes: [route(HOSTS.combined, true), route(HOSTS.apart, false)] });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

describe.each([
  ['in the list and the country', ALLOWED, 'DE', 200, 200],
  ['in the list, from another country', ALLOWED, 'US', 200, 403],
  ['from the country, not in the list', OTHER, 'DE', 200, 403],
  ['neither', OTHER, 'US', 403, 403],
  ['denied, from the country', DENIED, 'DE', 403, 403],
] as const)('a visitor %s', (_, from, country, combined, apart) => {
  it(`gets ${combined} where one of the two is enough`, async () =>
    expect((await edge.request(HOSTS.combined, { from, country })).status).toBe(combined));
  it(`gets ${apart} where both have to be passed`, async () =>
    expect((await edge.request(HOSTS.apart, { from, country })).status).toBe(apart));
});
