import { sql } from 'kysely';
import type { Executor } from '../../platform/database.ts';
import { isNodeLive } from './liveness-repository.ts';
import type { NodePrincipal } from './node-principal.ts';
import type {} from './tables.ts';

/** Where nodes take TLS that have not said where. */
const HTTPS_PORT = 443;

export interface Shield {
  readonly czone: string;
  readonly address: string;
  readonly port: number;
  readonly is_live: boolean;
  readonly is_self: boolean;
}

/** Shields of the czones of a node, in a stable order. */
export async function listShields(db: Executor, node: Pick<NodePrincipal, 'name' | 'czones'>): Promise<Shield[]> {
  const { rows } = await sql<Shield>`
    SELECT s.czone, n.addresses[1] AS address, coalesce((n.state->>'https_port')::int, ${HTTPS_PORT}) AS port,
      ${isNodeLive('n')} AND n.down_since IS NULL AS is_live, n.name = ${node.name} AS is_self
    FROM czone_shields s JOIN edge_nodes n ON n.id = s.node_id
    WHERE s.czone = ANY(${[...node.czones]}::text[]) AND s.czone = ANY(n.czones) AND n.revoked_at IS NULL
      AND n.addresses <> '{}'
    ORDER BY s.czone, n.name`.execute(db);
  return rows;
}

/** Names of all shields by czone. */
export async function namesOfShields(db: Executor): Promise<Record<string, string[]>> {
  const { rows } = await sql<{ czone: string; names: string[] }>`
    SELECT s.czone, array_agg(n.name ORDER BY n.name) AS names
    FROM czone_shields s JOIN edge_nodes n ON n.id = s.node_id
    WHERE n.revoked_at IS NULL AND s.czone = ANY(n.czones) GROUP BY s.czone`.execute(db);
  return Object.fromEntries(rows.map(({ czone, names }) => [czone, names]));
}

/** Nodes of these names that serve the czone and have an address. */
export const findNodesOf = (
  db: Executor,
  czone: string,
  names: readonly string[],
): Promise<{ id: string; name: string }[]> =>
  db
    .selectFrom('edge_nodes')
    .select(['id', 'name'])
    .where('name', '=', sql<string>`ANY(${[...names]}::text[])`)
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`${czone} = ANY(czones) AND addresses <> '{}'`)
    .execute();

/** Of a czone, in the place of those that it had. */
export async function replaceShields(db: Executor, czone: string, nodeIds: readonly string[]): Promise<void> {
  await db.deleteFrom('czone_shields').where('czone', '=', czone).execute();
  if (nodeIds.length === 0) return;
  await db
    .insertInto('czone_shields')
    .values(nodeIds.map((node_id) => ({ czone, node_id })))
    .execute();
}
