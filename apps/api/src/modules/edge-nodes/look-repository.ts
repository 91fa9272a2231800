import type { EdgeLook, EdgeLookResult } from '@cordon/contract';
import { sql } from 'kysely';
import type { Db } from '../../platform/database.ts';
import { isNodeLive } from './liveness-repository.ts';
import type {} from './tables.ts';

/** What is older is not waited for any more. */
const KEPT_SECONDS = 60;

export interface AskedNode {
  readonly id: string;
  readonly name: string;
  readonly is_live: boolean;
}

/** Those that serve the czone, by name. */
export async function listNodes(db: Db, czone: string): Promise<AskedNode[]> {
  const { rows } = await sql<AskedNode>`
    SELECT n.id, n.name, ${isNodeLive('n')} AND (n.state ->> 'nginx') IS NOT DISTINCT FROM 'running' AS is_live
    FROM edge_nodes n WHERE ${czone} = ANY(n.czones) AND n.revoked_at IS NULL ORDER BY n.name`.execute(db);
  return rows;
}

/** The nodes are told by their streams. */
export async function insertLook(db: Db, nodeIds: readonly string[], look: EdgeLook): Promise<void> {
  await sql`DELETE FROM edge_looks WHERE created_at < now() - make_interval(secs => ${KEPT_SECONDS})`.execute(db);
  await sql`WITH added AS (
      INSERT INTO edge_looks (id, node_id, look)
      SELECT ${look.id}, node_id, ${JSON.stringify(look)}::jsonb FROM unnest(${nodeIds}::uuid[]) AS node_id
      RETURNING node_id)
    SELECT pg_notify('edge_looks', node_id::text) FROM added`.execute(db);
}

/** Those that the node was not sent yet; it is sent each once. */
export async function takeLooks(db: Db, nodeId: string): Promise<EdgeLook[]> {
  const { rows } = await sql<{ look: EdgeLook }>`
    UPDATE edge_looks SET sent_at = now()
    WHERE node_id = ${nodeId} AND sent_at IS NULL AND created_at > now() - make_interval(secs => ${KEPT_SECONDS})
    RETURNING look`.execute(db);
  return rows.map(({ look }) => look);
}

/** Of what the node was not asked nothing is kept. */
export async function putLookResult(db: Db, nodeId: string, id: string, result: EdgeLookResult): Promise<void> {
  await sql`WITH kept AS (
      UPDATE edge_looks SET result = ${JSON.stringify(result)}
      WHERE id = ${id} AND node_id = ${nodeId} AND result IS NULL RETURNING id)
    SELECT pg_notify('edge_look_results', id::text) FROM kept`.execute(db);
}

/** What has come so far, by node. */
export async function findLookResults(db: Db, id: string): Promise<Map<string, EdgeLookResult>> {
  const rows = await db
    .selectFrom('edge_looks')
    .select(['node_id', 'result'])
    .where('id', '=', id)
    .where('result', 'is not', null)
    .execute();
  return new Map(rows.map(({ node_id, result }) => [node_id, result as EdgeLookResult]));
}

export async function deleteLook(db: Db, id: string): Promise<void> {
  await db.deleteFrom('edge_looks').where('id', '=', id).execute();
}
