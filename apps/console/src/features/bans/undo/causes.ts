/** What an Undo would take back: a ban, the lift of one, an entry taken off the allow list. Networks as the API writes them. */
export const banCause = (id: string): string => `ban:${id}`;
export const liftCause = ({
  network,
  route_id,
}: {
  readonly network: string;
  readonly route_id: string | null;
}): string => `lift:${route_id ?? 'all'}:${network}`;
export const removalCause = (network: string): string => `removal:${network}`;
