import { canonicalNetwork } from './canonical-network';
import { liftCause } from './causes';

interface Asked {
  readonly networks: readonly string[];
  readonly route_id?: string | null | undefined;
}

/** The lifts of these networks, where they were banned like this before. */
export const liftCauses = ({ networks, route_id = null }: Asked): string[] =>
  networks.map((network) => liftCause({ network: canonicalNetwork(network), route_id }));
