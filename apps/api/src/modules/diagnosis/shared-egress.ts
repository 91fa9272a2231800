import { type Egress, EgressError, type EgressRequest, type EgressResponse } from '../../platform/egress.ts';
import { createPromiseCache } from '../../platform/promise-cache.ts';
import type { RateLimits } from '../../platform/rate-limit.ts';

type Outcome = { readonly response: EgressResponse } | { readonly error: EgressError };

/** As long as a sweep lasts: what is seen at an origin then is the same for all domains that have it. */
const SHARED_MS = 15_000;
const OUTCOMES_MAX = 5_000;
/** Half of what an account may have us ask, so that its own checks find the other half. */
const RATE = { name: 'origin-looks', burst: 30, perMinute: 30 };

const isConnected = (outcome: Outcome) => 'response' in outcome || outcome.error.isConnected;

/**
 * Requests of regular looks at origins, where many domains of an account have the same: one that takes no connection is
 * asked once for all of them, any other once for each name that it is asked for.
 */
export function createSharedEgress(egress: Pick<Egress, 'request'>, rates: RateLimits): Pick<Egress, 'request'> {
  const rate = rates.of(RATE);
  const connections = createPromiseCache<Outcome>({ entriesMax: OUTCOMES_MAX, ttlMs: SHARED_MS });
  const answers = createPromiseCache<Outcome>({ entriesMax: OUTCOMES_MAX, ttlMs: SHARED_MS });

  async function ask(request: EgressRequest): Promise<Outcome> {
    try {
      if (!(await rate.take(request.account_id))) throw new EgressError('rate_limited');
      return { response: await egress.request(request) };
    } catch (error) {
      if (error instanceof EgressError) return { error };
      throw error;
    }
  }

  return {
    async request(request) {
      const { account_id, host, port, protocol, hostHeader, trusted } = request;
      const own = () =>
        answers.get(JSON.stringify([account_id, host, port, protocol, hostHeader, trusted]), () => ask(request));
      const first = await connections.get(JSON.stringify([account_id, host, port]), own);
      const outcome = isConnected(first) ? await own() : first;
      if ('error' in outcome) throw outcome.error;
      return outcome.response;
    },
  };
}
