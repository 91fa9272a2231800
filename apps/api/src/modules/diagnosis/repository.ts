import { sql } from 'kysely';
import type { Executor } from '../../platform/database.ts';
import { isNodeLive } from '../edge-nodes/service.ts';

export interface CzoneNode {
  readonly name: string;
  readonly addresses: string[];
  readonly is_live: boolean;
  /** ISO 8601; null for one that was never heard of. */
  readonly last_seen_at: string | null;
  /** The last heartbeat (contract, `postEdgeHeartbeat`); empty before the first. */
  readonly state: {
    readonly nginx?: string;
    readonly targets_down?: readonly { readonly route_id: string; readonly target: string }[];
  };
}

/** Nodes of a czone that were not cut off, with their last heartbeats. */
export async function nodesOfCzone(db: Executor, czone: string): Promise<CzoneNode[]> {
  const { rows } = await sql<CzoneNode>`
    SELECT name, addresses, last_seen_at, state, ${isNodeLive('n')} AS is_live
    FROM edge_nodes n WHERE ${czone} = ANY(czones) AND revoked_at IS NULL ORDER BY name LIMIT 100`.execute(db);
  return rows;
}
