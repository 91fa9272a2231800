import type pg from 'pg';
import { expect } from 'vitest';

/**
 * What must hold of names, quotas and the edge's copy at every moment, whatever happened before (spec section 4,
 * security design "Names"). Reads in one snapshot, of all accounts or of those given.
 */
export async function expectConsistentNames(pool: pg.Pool, accountIds?: readonly string[]): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const broken = async (rule: string, query: string) => {
      const { rows } = await client.query(query, [accountIds ?? null]);
      expect(rows, rule).toEqual([]);
    };
    await broken(
      'a subscription counts exactly the names that its routes hold',
      `SELECT s.id, s.names_used, count(n.name) FROM subscriptions s LEFT JOIN names n ON n.subscription_id = s.id
       WHERE ($1::uuid[] IS NULL OR s.account_id = ANY($1::uuid[])) GROUP BY s.id HAVING s.names_used <> count(n.name)`,
    );
    await broken(
      'no subscription holds more names than it has',
      `SELECT s.id FROM subscriptions s JOIN plans p ON p.name = s.plan
       WHERE ($1::uuid[] IS NULL OR s.account_id = ANY($1::uuid[]))
         AND s.names_used > (p.features->>'domains')::int + s.additional_domain_number`,
    );
    await broken(
      'a name belongs to a route of the same account and subscription that is not deleted',
      `SELECT n.name FROM names n JOIN routes r ON r.id = n.route_id
       WHERE ($1::uuid[] IS NULL OR n.account_id = ANY($1::uuid[]))
         AND (r.status = 'deleted' OR r.account_id <> n.account_id OR r.subscription_id <> n.subscription_id)`,
    );
    await broken(
      'a route has one main name, its own; none while an evicted one leaves the edge',
      `SELECT r.id, r.status FROM routes r LEFT JOIN names n ON n.route_id = r.id AND n.kind = 'main'
       WHERE ($1::uuid[] IS NULL OR r.account_id = ANY($1::uuid[])) AND r.status <> 'deleted' GROUP BY r.id
       HAVING (count(n.name) <> 1 OR min(n.name) <> r.domain_name) AND NOT (r.status = 'deleting' AND count(n.name) = 0)`,
    );
    await broken(
      'what runs is served; what was live and is off is known to be off; all else is not at the edge',
      `SELECT r.id, r.status, e.payload ->> 'off' AS off FROM routes r LEFT JOIN edge_routes e ON e.route_id = r.id
       WHERE ($1::uuid[] IS NULL OR r.account_id = ANY($1::uuid[])) AND CASE
         WHEN r.status = 'running' THEN r.version_live IS NULL OR e.payload IS NULL OR e.payload ->> 'off' IS NOT NULL
         WHEN r.status = 'deactivated' AND r.version_live IS NOT NULL THEN e.payload ->> 'off' IS DISTINCT FROM 'deactivated'
         ELSE e.payload IS NOT NULL END`,
    );
    await broken(
      'the edge knows a route by its names, also one that is off: a name that left may belong to another',
      `SELECT r.id, r.status FROM routes r JOIN edge_routes e ON e.route_id = r.id
       WHERE ($1::uuid[] IS NULL OR r.account_id = ANY($1::uuid[])) AND e.payload IS NOT NULL
         AND ARRAY(SELECT host ->> 'name' FROM jsonb_array_elements(e.payload -> 'hosts') host ORDER BY 1)
           <> ARRAY(SELECT n.name FROM names n WHERE n.route_id = r.id ORDER BY 1)`,
    );
    await broken(
      'the edge has the names of the route, the main one first, each verified as it is',
      `SELECT r.id, e.payload->'hosts', h.hosts FROM routes r JOIN edge_routes e ON e.route_id = r.id AND e.payload IS NOT NULL
       JOIN LATERAL (SELECT jsonb_agg(jsonb_build_object('name', o.name, 'verified', o.ownership_state = 'verified')
         ORDER BY o.kind, o.name COLLATE "C") AS hosts FROM name_ownership o WHERE o.route_id = r.id) h ON true
       WHERE ($1::uuid[] IS NULL OR r.account_id = ANY($1::uuid[]))
         AND e.payload->'hosts' IS DISTINCT FROM h.hosts`,
    );
    await broken(
      'the edge has the version that is live',
      `SELECT r.id FROM routes r JOIN edge_routes e ON e.route_id = r.id AND e.payload IS NOT NULL
       WHERE ($1::uuid[] IS NULL OR r.account_id = ANY($1::uuid[]))
         AND (e.payload->>'version')::int <> r.version_live`,
    );
    await broken(
      'what is not deleted is in a group of its account, and every account has one default group',
      `SELECT r.id::text FROM routes r LEFT JOIN groups g ON g.id = r.group_id AND g.account_id = r.account_id
       WHERE ($1::uuid[] IS NULL OR r.account_id = ANY($1::uuid[])) AND r.status <> 'deleted' AND g.id IS NULL
       UNION ALL SELECT a.id::text FROM accounts a LEFT JOIN groups g ON g.account_id = a.id AND g.is_default
       WHERE ($1::uuid[] IS NULL OR a.id = ANY($1::uuid[])) GROUP BY a.id HAVING count(g.id) <> 1`,
    );
    await broken(
      'groups count the domains that are in them',
      `SELECT account_id, group_id, sum(n) FROM (
         SELECT account_id, group_id, routes AS n FROM route_counts
         UNION ALL SELECT account_id, group_id, -1 FROM routes WHERE status <> 'deleted') counted
       WHERE ($1::uuid[] IS NULL OR account_id = ANY($1::uuid[])) GROUP BY account_id, group_id HAVING sum(n) <> 0`,
    );
    await broken(
      'a domain has got rules of its own subscription only',
      `SELECT p.rule_id, p.route_id FROM rule_applications p JOIN rules t ON t.id = p.rule_id JOIN routes r ON r.id = p.route_id
       WHERE ($1::uuid[] IS NULL OR r.account_id = ANY($1::uuid[]))
         AND (t.account_id <> r.account_id OR t.subscription_id <> r.subscription_id OR p.account_id <> r.account_id
           OR p.revision > t.revision)`,
    );
    await broken(
      'only what runs is paused',
      `SELECT r.id FROM routes r WHERE ($1::uuid[] IS NULL OR r.account_id = ANY($1::uuid[]))
         AND r.paused_at IS NOT NULL AND r.status <> 'running'`,
    );
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}
