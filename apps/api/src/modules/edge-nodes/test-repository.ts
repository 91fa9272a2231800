import type { EdgeTest, EdgeTestResult } from '@cordon/contract';
import { sql } from 'kysely';
import type { Db } from '../../platform/database.ts';
import { isNodeLive } from './liveness-repository.ts';
import type {} from './tables.ts';

/** What is older is not waited for any more. */
const KEPT_SECONDS = 60;

/** A live node of the czone to be asked, one whose nginx runs before others. */
export async function findLiveNode(db: Db, czone: string): Promise<{ id: string; name: string } | undefined> {
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT n.id, n.name FROM edge_nodes n
    WHERE ${czone} = ANY(n.czones) AND n.revoked_at IS NULL AND ${isNodeLive('n')}
    ORDER BY (n.state ->> 'nginx') = 'running' DESC NULLS LAST, n.name LIMIT 1`.execute(db);
  return rows[0];
}

/** The node is told by its stream. */
export async function insertTest(db: Db, nodeId: string, test: EdgeTest): Promise<void> {
  await sql`DELETE FROM edge_tests WHERE created_at < now() - make_interval(secs => ${KEPT_SECONDS})`.execute(db);
  await sql`WITH added AS (
      INSERT INTO edge_tests (id, node_id, test) VALUES (${test.id}, ${nodeId}, ${JSON.stringify(test)}) RETURNING node_id)
    SELECT pg_notify('edge_tests', node_id::text) FROM added`.execute(db);
}

/** Those that the node was not sent yet; it is sent each once. */
export async function takeTests(db: Db, nodeId: string): Promise<EdgeTest[]> {
  const { rows } = await sql<{ test: EdgeTest }>`
    UPDATE edge_tests SET sent_at = now()
    WHERE node_id = ${nodeId} AND sent_at IS NULL AND created_at > now() - make_interval(secs => ${KEPT_SECONDS})
    RETURNING test`.execute(db);
  return rows.map(({ test }) => test);
}

/** Of another node's test nothing is kept. */
export async function putResults(
  db: Db,
  nodeId: string,
  id: string,
  results: readonly EdgeTestResult[],
): Promise<void> {
  await sql`WITH kept AS (
      UPDATE edge_tests SET results = ${JSON.stringify(results)}
      WHERE id = ${id} AND node_id = ${nodeId} AND results IS NULL RETURNING id)
    SELECT pg_notify('edge_test_results', id::text) FROM kept`.execute(db);
}

export async function findResults(db: Db, id: string): Promise<EdgeTestResult[] | undefined> {
  const row = await db.selectFrom('edge_tests').select('results').where('id', '=', id).executeTakeFirst();
  return row?.results ?? undefined;
}

export async function deleteTest(db: Db, id: string): Promise<void> {
  await db.deleteFrom('edge_tests').where('id', '=', id).execute();
}
