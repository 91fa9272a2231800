import { sql } from 'kysely';
import type { Executor } from '../../platform/database.ts';
import type { NameServer } from '../../settings/name-servers.ts';
import type {} from './tables.ts';

/** Writes what differs only: a change wakes every copy of the records. */
export async function publishZone(db: Executor, zone: string, servers: readonly NameServer[]): Promise<void> {
  // Processes that start together would write the same rows.
  await sql`SELECT pg_advisory_xact_lock(hashtext('edge zones'))`.execute(db);
  await sql`INSERT INTO edge_zones (name) VALUES (${zone}) ON CONFLICT (name) DO NOTHING`.execute(db);
  const wanted = JSON.stringify(servers.map((server, position) => ({ position, ...server })));
  const rows = sql`SELECT position, name, ARRAY(SELECT jsonb_array_elements_text(addresses)) AS addresses
    FROM jsonb_to_recordset(${wanted}::jsonb) AS given(position int, name text, addresses jsonb)`;
  const { rows: differing } = await sql<{ is_different: boolean }>`
    SELECT EXISTS ((TABLE name_servers EXCEPT (${rows})) UNION ALL ((${rows}) EXCEPT TABLE name_servers)) AS is_different`.execute(
    db,
  );
  if (!differing[0]?.is_different) return;
  await sql`DELETE FROM name_servers`.execute(db);
  await sql`INSERT INTO name_servers ${rows}`.execute(db);
}

/** Tables that PowerDNS asks. What the views are made of is read with their owner's rights, not the reader's. */
const VIEWS = ['domains', 'records', 'domainmetadata', 'cryptokeys', 'tsigkeys', 'comments', 'supermasters'];
const CONNECTIONS_MAX = 60;

/** The role of name servers: `<database>_dns`, since roles are common to all databases of a server. */
export async function readerRole(db: Executor): Promise<string> {
  const { rows } = await sql<{ role: string }>`SELECT left(current_database(), 59) || '_dns' AS role`.execute(db);
  return rows[0]?.role as string;
}

/**
 * Makes the role or brings it to what it should be. `verifier` is what PostgreSQL keeps of a password: the password
 * itself would stand in the server's log when the statement fails.
 */
export async function grantReader(db: Executor, role: string, verifier: string): Promise<void> {
  // Processes that start together would both make it.
  await sql`SELECT pg_advisory_xact_lock(hashtext('name server role'))`.execute(db);
  const { rows } = await sql<{ known: boolean; database: string }>`
    SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = ${role}) AS known, current_database() AS database`.execute(db);
  const name = sql.id(role);
  const attributes = sql`LOGIN CONNECTION LIMIT ${sql.lit(CONNECTIONS_MAX)} PASSWORD ${sql.lit(verifier)}`;
  if (rows[0]?.known) await sql`ALTER ROLE ${name} ${attributes}`.execute(db);
  else await sql`CREATE ROLE ${name} ${attributes}`.execute(db);
  await sql`ALTER ROLE ${name} SET search_path = powerdns`.execute(db);
  await sql`ALTER ROLE ${name} SET default_transaction_read_only = on`.execute(db);
  await sql`ALTER ROLE ${name} SET statement_timeout = '60s'`.execute(db);
  await sql`GRANT CONNECT ON DATABASE ${sql.id(rows[0]?.database ?? '')} TO ${name}`.execute(db);
  await sql`GRANT USAGE ON SCHEMA powerdns TO ${name}`.execute(db);
  await sql`GRANT SELECT ON ${sql.join(VIEWS.map((view) => sql.id('powerdns', view)))} TO ${name}`.execute(db);
}
