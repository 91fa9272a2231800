import { formatAddress, parseAddress, type UpstreamTarget } from '@cordon/contract';

/** An upstream address (`address:port`) that a node leaves out of balancing; `since` in Unix seconds. */
export interface Mark {
  readonly route_id: string;
  readonly target: string;
  readonly since: number;
}

/** What a node has reported last of the origins that it leaves out. */
export interface LeavingNode {
  readonly id: string;
  readonly name: string;
  readonly czones: readonly string[];
  readonly is_live: boolean;
  readonly down: readonly Mark[];
}

/** What is left out of a domain by one node, by its last report; nothing by one that is away. */
export const marksOf = (routeId: string, { is_live, down }: Pick<LeavingNode, 'is_live' | 'down'>): readonly Mark[] =>
  is_live ? down.filter(({ route_id }) => route_id === routeId) : [];

export interface Standing {
  readonly state: 'up' | 'partly' | 'down';
  /** Those of the target. */
  readonly marks: readonly Mark[];
}

const isMarked = ({ target }: Mark, address: string, port: number | null): boolean => {
  const host = address.includes(':') ? `[${address}]` : address;
  return port === null ? target.startsWith(`${host}:`) : target === `${host}:${port}`;
};

/**
 * How a target stands by what a node leaves out: the one judgement of it, for the health of a domain and of its origins.
 * @param found Addresses of a name, where it was looked up; else it is never down.
 */
export function standingOf(
  { host, port }: Pick<UpstreamTarget, 'host' | 'port'>,
  marks: readonly Mark[],
  found: readonly string[] = [],
): Standing {
  const literal = parseAddress(host);
  const addresses = literal ? [formatAddress(literal)] : found;
  const own = marks.filter((mark) => addresses.some((address) => isMarked(mark, address, port)));
  const isLeftOut = (address: string) => own.some((mark) => isMarked(mark, address, port));
  return { state: own.length === 0 ? 'up' : addresses.every(isLeftOut) ? 'down' : 'partly', marks: own };
}
