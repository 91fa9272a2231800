import { sql } from 'kysely';
import type { Executor } from '../../platform/database.ts';
import { isNodeLive } from '../edge-nodes/service.ts';

export interface NodeTargets {
  readonly id: string;
  readonly name: string;
  readonly is_live: boolean;
  /** What of the route the node leaves out now, by its last heartbeat. */
  readonly down: readonly { readonly target: string; readonly since: number }[];
}

/** Nodes that serve a czone, with what they report about one route. */
export async function nodesOfRoute(db: Executor, routeId: string, czone: string): Promise<NodeTargets[]> {
  const { rows } = await sql<NodeTargets>`
    SELECT n.id, n.name, ${isNodeLive('n')} AS is_live,
      coalesce(jsonb_path_query_array(n.state, '$.targets_down[*] ? (@.route_id == $route)',
        jsonb_build_object('route', ${routeId}::text)), '[]'::jsonb) AS down
    FROM edge_nodes n WHERE ${czone} = ANY(n.czones) AND n.revoked_at IS NULL ORDER BY n.name`.execute(db);
  return rows;
}
