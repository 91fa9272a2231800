import { sql } from 'kysely';
import type { Executor } from '../../platform/database.ts';
import { isNodeLive } from '../edge-nodes/service.ts';
import type { LeavingNode } from '../origins/service.ts';

export interface NodeState extends LeavingNode {
  readonly addresses: readonly string[];
  /** ISO 8601; null for one that was never heard of. */
  readonly last_seen_at: string | null;
  /** Of the last heartbeat (contract, `postEdgeHeartbeat`); null before the first. */
  readonly nginx: string | null;
}

/** Nodes that were not cut off, with their last heartbeats. */
export async function readNodes(db: Executor): Promise<NodeState[]> {
  const { rows } = await sql<NodeState>`
    SELECT id, name, czones, addresses, last_seen_at, state->>'nginx' AS nginx, coalesce(state->'targets_down', '[]'::jsonb) AS down,
      ${isNodeLive('n')} AS is_live
    FROM edge_nodes n WHERE revoked_at IS NULL ORDER BY name`.execute(db);
  return rows;
}
