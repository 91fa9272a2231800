import { formatRange, parseRange } from '@cordon/contract/address';

/** As the API writes it. */
function canonical(network: string): string {
  const range = parseRange(network.trim());
  return range ? formatRange(range) : network;
}

/** What an Undo would take back: a ban, the lift of one, an entry taken off the allow list. */
export const banCause = (id: string): string => `ban:${id}`;
export const liftCause = ({
  network,
  route_id,
}: {
  readonly network: string;
  readonly route_id: string | null;
}): string => `lift:${route_id ?? 'all'}:${canonical(network)}`;
export const removalCause = (network: string): string => `removal:${canonical(network)}`;
