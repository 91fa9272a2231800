import { parseAddress } from '@cordon/contract/address';
import type { AnyEdgeHandler, EdgeHandler, Verdict } from '../edge/context.ts';
import { edgeKit } from '../edge/kit.ts';
import { createPlainContext, createPlainState } from '../edge/plain-context.ts';
import type { TestAttack } from '../plugin.ts';

/** By attack, what the handler says of its last request, asked by itself with this configuration. */
export function tryAttacks<Config, Prepared>(
  handler: EdgeHandler<Config, Prepared>,
  config: Config,
  attacks: readonly TestAttack[],
  feeds: Parameters<typeof createPlainState>[0] = {},
): Verdict[] {
  const { prepare, access } = handler as AnyEdgeHandler;
  const prepared = prepare(config, edgeKit, undefined);
  return attacks.map(({ request, times = 1 }) => {
    const [path = '', ...query] = request.target.split('?');
    const clientAddress = parseAddress(request.address ?? '192.0.2.1');
    if (!clientAddress) throw new Error(`${request.address} is no address`);
    const state = createPlainState(feeds);
    let verdict: Verdict;
    for (let count = 0; count < times; count++) {
      if (count > 0 && verdict !== undefined) throw new Error(`request ${count} of ${times} was stopped already`);
      const context = createPlainContext(
        {
          method: request.method ?? 'GET',
          scheme: 'http',
          host: 'www.example.com',
          path,
          query: query.join('?'),
          headers: request.headers ?? [],
          clientAddress,
          country: request.country ?? '',
          crawler: '',
          now: 1_800_000_000,
        },
        state,
      );
      verdict = access?.(context, prepared);
    }
    return verdict;
  });
}
