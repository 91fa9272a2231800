import type { EdgeRoute } from '@cordon/contract/edge-config';
import { testRoute, testTarget, testUpstream } from '../../apps/edge/src/testing/routes.ts';
import { startEdge } from '../../apps/edge/src/testing/start-edge.ts';

type EdgePlugin = EdgeRoute['plugins'][number];

/** No request of a bench comes from them. */
const RANGES = Array.from({ length: 100 }, (_, at) => `${20 + at}.${at}.0.0/16`);

/** Always on: the control plane adds it to every route. */
export const BAN: EdgePlugin = { name: 'ban', config: { default_timeout: 3600 } };

export const DENY_RANGES: EdgePlugin = {
  name: 'ip-restriction',
  config: { allow: [], deny: RANGES, whitelistMode: false, blacklistMode: true, allow_spiders: false },
};

/** An edge of one worker that serves `bench.test` from an origin, with timeouts as the control plane writes them. */
export const startBenchEdge = (
  originPort: number,
  plugins: readonly EdgePlugin[],
  environment: Readonly<Record<string, string>> = {},
) =>
  startEdge({
    workers: 1,
    environment: { CORDON_DEMO_SECRET: '', ...environment },
    routes: [
      testRoute({
        hosts: ['bench.test'],
        upstream: testUpstream([testTarget(originPort)], {
          connect_timeout_ms: 5000,
          send_timeout_ms: 60_000,
          read_timeout_ms: 60_000,
        }),
        plugins: [...plugins],
      }),
    ],
  });
