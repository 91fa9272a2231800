import { sql } from 'kysely';
import type { Db, Executor } from '../platform/database.ts';

export interface AccountLine {
  readonly id: string;
  readonly email: string;
  readonly plan: string;
  readonly domains: number;
  readonly suspended_at: string | null;
  readonly created_at: string;
}

export async function listAccounts(db: Db): Promise<AccountLine[]> {
  const { rows } = await sql<AccountLine>`
    SELECT a.id, coalesce(min(u.email), '') AS email, coalesce(string_agg(DISTINCT s.plan, ', '), '') AS plan,
      coalesce((SELECT sum(routes) FROM route_counts c WHERE c.account_id = a.id), 0)::int AS domains, a.suspended_at, a.created_at
    FROM accounts a LEFT JOIN users u ON u.account_id = a.id LEFT JOIN subscriptions s ON s.account_id = a.id
    GROUP BY a.id ORDER BY a.created_at LIMIT 10000`.execute(db);
  return rows;
}

/** An account by its id or by the e-mail of one of its users. */
export async function findAccountId(db: Db, text: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    SELECT a.id FROM accounts a WHERE a.id::text = ${text.toLowerCase()}
      OR EXISTS (SELECT 1 FROM users u WHERE u.account_id = a.id AND lower(u.email) = ${text.toLowerCase()}) LIMIT 1`.execute(
    db,
  );
  return rows[0]?.id;
}

/** A route by its id or by one of its names. */
export async function findRouteId(db: Db, text: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    SELECT r.id FROM routes r WHERE r.status <> 'deleted'
      AND (r.id::text = ${text.toLowerCase()} OR r.id = (SELECT route_id FROM names WHERE name = ${text.toLowerCase()})) LIMIT 1`.execute(
    db,
  );
  return rows[0]?.id;
}

/** Ids of an account's routes that nodes know, after an id. */
export async function routesOnEdge(db: Executor, accountId: string, afterId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ route_id: string }>`
    SELECT route_id FROM edge_routes WHERE account_id = ${accountId} AND route_id > ${afterId}::uuid ORDER BY route_id LIMIT ${limit}`.execute(
    db,
  );
  return rows.map((row) => row.route_id);
}
