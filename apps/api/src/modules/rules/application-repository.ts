import type { Page, RuleLists } from '@cordon/contract';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Executor } from '../../platform/database.ts';
import { likePattern, type RuleHead } from './repository.ts';

/** What a plugin of a domain is compared with: the rule's, the one that was applied last, or with what is live. */
export type Against = 'rule' | 'applied' | 'live';

/** A plugin whose two entries are not word for word the same, with a hash of each: many are the same on other domains. */
export interface UnlikeEntry {
  readonly against: Against;
  readonly name: string;
  readonly wanted: string;
  /** Null: there is none. */
  readonly actual: string | null;
}

/** A domain that got the rule, with what it has now and what it got. */
export interface ApplicationRow {
  readonly route_id: string;
  readonly domain_name: string;
  readonly domain_name_unicode: string;
  readonly status: 'running' | 'deactivated' | 'deleting';
  readonly is_live: boolean;
  readonly revision: number;
  readonly applied_lists: RuleLists;
  readonly applied_at: string;
  readonly applied_by: string | null;
  /** In the order of the rule's plugins; those that are word for word the same need no closer look. */
  readonly unlike: readonly UnlikeEntry[];
}

const entriesOf = (plugins: RawBuilder<unknown>) =>
  sql`jsonb_array_elements(${plugins}) WITH ORDINALITY AS one(entry, position)`;
const entryOf = (plugins: RawBuilder<unknown>) =>
  sql`(SELECT e FROM jsonb_array_elements(${plugins}) e WHERE e->>'name' = entry->>'name' LIMIT 1)`;
const draftEntry = entryOf(sql`r.draft->'plugins'`);

/**
 * Entries of a domain that are not word for word what they are compared with. PostgreSQL compares: read here, lists of
 * thousands would hold the event loop for each domain. What is only to be off may be missing in the draft and still be live.
 */
const unlikeEntries: Readonly<Record<Against, RawBuilder<unknown>>> = {
  rule: sql`SELECT 'rule' AS against, position, entry AS wanted, actual
    FROM ${entriesOf(sql`u.plugins`)}, LATERAL (SELECT ${draftEntry} AS actual) d WHERE actual IS DISTINCT FROM entry`,
  applied: sql`SELECT 'applied' AS against, position, entry AS wanted, actual
    FROM ${entriesOf(sql`v.plugins`)}, LATERAL (SELECT ${draftEntry} AS actual) d WHERE actual IS DISTINCT FROM entry`,
  live: sql`SELECT 'live' AS against, position, wanted, actual
    FROM ${entriesOf(sql`u.plugins`)}, LATERAL (SELECT coalesce(${draftEntry},
      CASE WHEN entry->'enabled' = 'false' AND entry->'config' = '{}' THEN entry END) AS wanted,
      ${entryOf(sql`r.live->'plugins'`)} AS actual) d
    WHERE wanted IS NOT NULL AND actual IS DISTINCT FROM wanted`,
};

const hashOf = (entry: RawBuilder<unknown>) => sql`encode(sha256(convert_to(${entry}::text, 'UTF8')), 'hex')`;
const unlike = (sides: readonly Against[]) => sql`(
  SELECT coalesce(jsonb_agg(jsonb_build_object('against', against, 'name', wanted->>'name',
    'wanted', ${hashOf(sql`wanted`)}, 'actual', ${hashOf(sql`actual`)}) ORDER BY position), '[]')
  FROM (${sql.join(
    sides.map((side) => unlikeEntries[side]),
    sql` UNION ALL `,
  )}) found)`;

const applications = (rule: RuleHead, conditions: RawBuilder<SqlBool>) => sql`
  FROM rule_applications a JOIN routes r ON r.id = a.route_id
    JOIN rules u ON u.id = a.rule_id JOIN rule_revisions v ON v.rule_id = a.rule_id AND v.revision = a.revision
  WHERE a.rule_id = ${rule.id} AND a.account_id = ${rule.account_id} AND r.status <> 'deleted' AND ${conditions}`;

const columns = (sides: readonly Against[]) => sql`r.id AS route_id, r.domain_name, r.domain_name_unicode, r.status,
  r.status = 'running' AND r.live IS NOT NULL AS is_live, a.revision, v.lists AS applied_lists, a.applied_at, a.applied_by,
  ${unlike(sides)} AS unlike`;

export async function listApplications(
  db: Executor,
  rule: RuleHead,
  q: string | undefined,
  page: Page,
): Promise<{ rows: ApplicationRow[]; count: number }> {
  const matches =
    q === undefined || q.trim() === ''
      ? sql<SqlBool>`true`
      : sql<SqlBool>`r.id IN (
          SELECT id FROM route_texts WHERE account_id = ${rule.account_id} AND search LIKE ${likePattern(q)})`;
  // Entries are compared for the page alone, not for the rows before it.
  const onPage = sql<SqlBool>`r.id IN (SELECT r.id ${applications(rule, matches)}
    ORDER BY r.domain_name, r.id LIMIT ${page.limit} OFFSET ${page.offset})`;
  const { rows } = await sql<ApplicationRow>`SELECT ${columns(['rule', 'applied', 'live'])}
    ${applications(rule, onPage)} ORDER BY r.domain_name, r.id`.execute(db);
  const counted = await sql<{ count: number }>`SELECT count(*)::int AS count ${applications(rule, matches)}`.execute(
    db,
  );
  return { rows, count: counted.rows[0]?.count ?? 0 };
}

interface FoundEntries {
  readonly wanted: string;
  readonly wanted_hash: string;
  readonly actual: string | null;
  readonly actual_hash: string | null;
}

/** Both entries as texts, to be parsed in turns. Undefined where the domain was changed meanwhile and they are alike. */
export async function findUnlike(
  db: Executor,
  rule: RuleHead,
  routeId: string,
  { against, name }: Pick<UnlikeEntry, 'against' | 'name'>,
): Promise<FoundEntries | undefined> {
  const { rows } = await sql<FoundEntries>`
    WITH one AS MATERIALIZED (
      SELECT r.draft, r.live, u.plugins AS of_rule, v.plugins AS applied
      ${applications(rule, sql<SqlBool>`r.id = ${routeId}`)})
    SELECT found.wanted::text, found.actual::text,
      ${hashOf(sql`found.wanted`)} AS wanted_hash, ${hashOf(sql`found.actual`)} AS actual_hash
    FROM one r CROSS JOIN LATERAL (SELECT r.of_rule AS plugins) u CROSS JOIN LATERAL (SELECT r.applied AS plugins) v
      CROSS JOIN LATERAL (${unlikeEntries[against]}) found
    WHERE found.wanted->>'name' = ${name}`.execute(db);
  return rows[0];
}

const PIECE = 500;

/** Whether the draft says word for word what the rule says. */
const isWordForWord = sql<SqlBool>`NOT EXISTS (SELECT 1 FROM jsonb_array_elements(u.plugins) p
  WHERE NOT EXISTS (SELECT 1 FROM jsonb_array_elements(r.draft->'plugins') e WHERE e = p))`;

/** Domains whose draft is not word for word what the rule says, by name, in pieces; the caller looks closer. */
export async function* unlikeApplications(db: Executor, rule: RuleHead): AsyncIterable<ApplicationRow[]> {
  for (let after = ''; ; ) {
    const { rows } = await sql<ApplicationRow>`SELECT ${columns(['rule'])}
      ${applications(rule, sql<SqlBool>`r.domain_name > ${after} AND NOT (${isWordForWord})`)}
      ORDER BY r.domain_name LIMIT ${PIECE}`.execute(db);
    if (rows.length === 0) return;
    yield rows;
    after = rows.at(-1)?.domain_name ?? after;
  }
}

/** Domains that got the rule, by name; a page of them, or all. */
export async function appliedDomains(
  db: Executor,
  rule: RuleHead,
  page?: Page,
): Promise<{ id: string; domain_name: string }[]> {
  const limit = page ? sql`LIMIT ${page.limit} OFFSET ${page.offset}` : sql``;
  const { rows } = await sql<{ id: string; domain_name: string }>`SELECT r.id, r.domain_name
    ${applications(rule, sql<SqlBool>`true`)} ORDER BY r.domain_name, r.id ${limit}`.execute(db);
  return rows;
}
