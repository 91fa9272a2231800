import type { DiagnosisCheck, UpstreamTarget } from '@cordon/contract';
import { definitions } from '@cordon/plugins/definitions';
import { sql } from 'kysely';
import type { Executor } from '../../platform/database.ts';
import { UNMET_CHALLENGES } from './challenge-check.ts';
import { ERRORS_GO_ON, ERRORS_MOSTLY, type Facts } from './facts.ts';

/** Columns of facts that a row of the list has anyway, of `r` (routes), `a` (accounts) and `o` (operations). */
const ROW_COLUMNS = `r.id, r.domain_name, r.domain_name_unicode, r.cname, r.status, r.version_live, r.pending_changes, r.ownership_state, r.suspended_at,
  r.suspended_reason, a.suspended_at AS account_suspended_at, a.suspended_reason AS account_suspended_reason,
  o.action AS op_action, o.state AS op_state, o.started_at AS op_started_at, o.error AS op_error`;

/** Those that it has for its health, with `s` (subscriptions) and the tables of `FACT_JOINS`. */
export const FACT_COLUMNS = `r.account_id, r.czone, r.paused_at, r.paused_until, r.paused_by, r.ownership_method, r.ownership_seen,
  r.ownership_checked_at, r.ownership_pending_since, r.proof_needed_until, r.certificate_id, s.status AS subscription_status,
  s.ipv6 AS subscription_ipv6, s.names_used, (p.features->>'domains')::int + s.additional_domain_number AS names_limit,
  p.label AS plan_label, o.version AS op_version, l.looked_at, l.origins_looked_at, l.version AS look_version, l.domain_name AS look_domain_name,
  l.ownership_state AS look_ownership_state, l.certificate_id AS look_certificate_id, l.findings AS look_findings,
  l.certificate_expires_at AS look_expires_at, e.requests AS errors_requests, e.failed AS errors_failed, e.since AS errors_since, c.challenged AS unmet_challenges,
  c.since AS unmet_since`;

/** Measurements end by themselves when nothing is measured any more. */
export const ERRORS_LAST = `interval '2 minutes'`;

/** Plugins challenge by their rules, or all visitors for a while: then their feed says until when. */
const CHALLENGE_FEEDS = definitions.flatMap(({ phase, feeds = [] }) => (phase === 'challenge' ? feeds : []));
const IS_CHALLENGE_FEED = `f.feed IN (${CHALLENGE_FEEDS.map((feed) => `'${feed}'`).join(', ')})`;
/** Whether all visitors of a domain of `c` are challenged for a while. */
export const IS_CHALLENGING_ALL = `EXISTS (SELECT FROM feed_entries f WHERE f.scope IN (c.route_id, c.account_id)
  AND ${IS_CHALLENGE_FEED} AND (f.ends_at IS NULL OR f.ends_at > now()))`;
/**
 * Challenges of `c` that are not what a mode has shown: none that challenged all visitors has ended within the time over which
 * they are counted. Of one that ends by its time or by a press, its own would be counted for as long.
 */
export const IS_CHALLENGING = `NOT EXISTS (SELECT FROM feed_entries f WHERE f.scope IN (c.route_id, c.account_id)
  AND ${IS_CHALLENGE_FEED} AND f.ends_at <= now()
  AND f.ends_at > now() - interval '${UNMET_CHALLENGES.minutes} minutes')`;
const UNMET_JOIN = `LEFT JOIN route_unmet_challenges c ON c.route_id = r.id AND c.measured_at > now() - ${ERRORS_LAST} AND ${IS_CHALLENGING}`;
export const FACT_JOINS = `JOIN plans p ON p.name = s.plan LEFT JOIN route_looks l ON l.route_id = r.id
  LEFT JOIN route_errors e ON e.route_id = r.id AND e.measured_at > now() - ${ERRORS_LAST}
  ${UNMET_JOIN}`;

/** Of a row of `routes` that the columns are of. */
const CLASS = 'health_class(status, version_live, ownership_state, ownership_method, certificate_id)';
/** The condition of the index of classes. */
const IS_SERVED = `status = 'running' AND version_live IS NOT NULL`;

export type ClassedFacts = Facts & {
  readonly subscription_id: string;
  readonly domain_name_unicode: string;
  readonly class: number;
};

/** Facts of domains of an account, deleted ones too, in no order. */
export async function readFacts(db: Executor, accountId: string, ids: readonly string[]): Promise<ClassedFacts[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<ClassedFacts>`
    SELECT ${sql.raw(ROW_COLUMNS)}, ${sql.raw(FACT_COLUMNS)}, r.subscription_id,
      health_class(r.status, r.version_live, r.ownership_state, r.ownership_method, r.certificate_id) AS class
    FROM routes r JOIN subscriptions s ON s.id = r.subscription_id JOIN accounts a ON a.id = r.account_id
      LEFT JOIN operations o ON o.id = r.operation_id ${sql.raw(FACT_JOINS)}
    WHERE r.account_id = ${accountId} AND r.id = ANY(${[...ids]}::uuid[])`.execute(db);
  return rows;
}

/** Targets of the live versions of domains; a redirect has none. */
export async function readTargets(db: Executor, ids: readonly string[]): Promise<Map<string, UpstreamTarget[]>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; targets: UpstreamTarget[] }>`
    SELECT id, CASE WHEN live->>'traffic_action' = 'redirect' THEN '[]'::jsonb
      ELSE coalesce(live #> '{upstreams,targets}', '[]'::jsonb) END AS targets
    FROM routes WHERE id = ANY(${[...ids]}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, targets }) => [id, targets]));
}

/** Domains of a subscription whose rows alone say the same of their health. */
export type ClassRow = Pick<
  ClassedFacts,
  | 'subscription_id'
  | 'class'
  | 'czone'
  | 'subscription_status'
  | 'subscription_ipv6'
  | 'names_used'
  | 'names_limit'
  | 'plan_label'
  | 'account_suspended_at'
  | 'account_suspended_reason'
> & { readonly routes: number };

export async function readClasses(db: Executor, accountId: string): Promise<ClassRow[]> {
  const { rows } = await sql<ClassRow>`
    SELECT c.subscription_id, c.class, c.routes, s.czone, s.status AS subscription_status, s.ipv6 AS subscription_ipv6,
      s.names_used, (p.features->>'domains')::int + s.additional_domain_number AS names_limit, p.label AS plan_label,
      a.suspended_at AS account_suspended_at, a.suspended_reason AS account_suspended_reason
    FROM route_health_counts c JOIN subscriptions s ON s.id = c.subscription_id JOIN plans p ON p.name = s.plan
      JOIN accounts a ON a.id = c.account_id
    WHERE c.account_id = ${accountId} AND c.routes > 0`.execute(db);
  return rows;
}

/** Domains that are judged alike, by the facts of one of them. */
export type AlikeRow = ClassedFacts & {
  /** Ids of all of them, with commas between. */
  readonly ids: string;
};

/**
 * Domains that may be better or worse than the others of their class. Each part reads an index of what few domains have;
 * in an outage it is many, and so those whose facts come to the same state are one row. `down`: those that a node leaves
 * a target of out, each by itself.
 */
export async function readCandidates(db: Executor, accountId: string, down: readonly string[]): Promise<AlikeRow[]> {
  const { rows } = await sql<AlikeRow>`
    WITH found AS MATERIALIZED (
      SELECT id FROM routes WHERE account_id = ${accountId} AND suspended_at IS NOT NULL AND status <> 'deleted'
      UNION SELECT id FROM routes WHERE account_id = ${accountId} AND paused_at IS NOT NULL AND status <> 'deleted'
      UNION SELECT r.id FROM operations o JOIN routes r ON r.operation_id = o.id
        WHERE o.account_id = ${accountId} AND o.state = 'failed' AND o.error <> 'SUPERSEDED' AND r.status <> 'deleted'
      UNION SELECT route_id FROM route_looks WHERE account_id = ${accountId} AND findings <> '[]'
      UNION SELECT route_id FROM route_looks
        WHERE account_id = ${accountId} AND certificate_expires_at IS NOT NULL AND certificate_id IS NULL
      UNION SELECT route_id FROM route_errors WHERE account_id = ${accountId}
      UNION SELECT route_id FROM route_unmet_challenges WHERE account_id = ${accountId}
      UNION SELECT id FROM routes WHERE account_id = ${accountId} AND id = ANY(${[...down]}::uuid[]) AND status <> 'deleted'),
    alike AS MATERIALIZED (
      SELECT string_agg(r.id::text, ',') AS ids, min(r.id::text)::uuid AS one
      FROM found JOIN routes r ON r.id = found.id LEFT JOIN operations o ON o.id = r.operation_id
        LEFT JOIN route_looks l ON l.route_id = r.id
        LEFT JOIN route_errors e ON e.route_id = r.id AND e.measured_at > now() - ${sql.raw(ERRORS_LAST)}
        ${sql.raw(UNMET_JOIN)}
      WHERE r.account_id = ${accountId} AND r.status <> 'deleted'
      GROUP BY CASE WHEN r.id = ANY(${[...down]}::uuid[]) THEN r.id END, r.subscription_id, r.czone, r.status,
        r.version_live IS NULL, r.ownership_state, r.ownership_method = 'demo', r.certificate_id IS NULL,
        r.suspended_at IS NULL, r.paused_at IS NOT NULL AND (r.paused_until IS NULL OR r.paused_until > now()),
        o.state, o.action, l.looked_at > r.ownership_checked_at, r.ownership_checked_at IS NULL, l.version = r.version_live,
        l.domain_name = r.domain_name, l.ownership_state = r.ownership_state,
        l.certificate_id IS NOT DISTINCT FROM r.certificate_id, l.certificate_expires_at IS NULL,
        CASE WHEN l.findings <> '[]' THEN (SELECT string_agg(DISTINCT (f->>'check') || (f->>'state'), ',')
          FROM jsonb_array_elements(l.findings) f) END,
        CASE WHEN e.requests >= ${ERRORS_GO_ON.requestsMin} AND e.failed >= ${ERRORS_GO_ON.failedMin}
          THEN width_bucket(e.failed::float8 / e.requests, ARRAY[${ERRORS_GO_ON.shareMin}, ${ERRORS_MOSTLY}]::float8[]) END,
        c.route_id IS NULL)
    SELECT alike.ids, ${sql.raw(ROW_COLUMNS)}, ${sql.raw(FACT_COLUMNS)}, r.subscription_id,
      health_class(r.status, r.version_live, r.ownership_state, r.ownership_method, r.certificate_id) AS class
    FROM alike JOIN routes r ON r.id = alike.one JOIN subscriptions s ON s.id = r.subscription_id
      JOIN accounts a ON a.id = r.account_id LEFT JOIN operations o ON o.id = r.operation_id ${sql.raw(FACT_JOINS)}`.execute(
    db,
  );
  return rows;
}

/** Since when a domain has what it is judged by first. */
const SINCE: Partial<Record<DiagnosisCheck, string>> = {
  service: 'coalesce(r.suspended_at, r.paused_at)',
  deploy: 'o.started_at',
  traffic: 'coalesce(e.since, c.since)',
};
/** Of domains that are judged alike, first by this check, those that have been so for longest. */
export async function readOldest(
  db: Executor,
  ids: readonly string[],
  check: DiagnosisCheck,
  limit: number,
): Promise<string[]> {
  const since = SINCE[check];
  const order =
    since === undefined
      ? sql`(SELECT min(f->>'since')::timestamptz FROM jsonb_array_elements(l.findings) f
    WHERE f->>'check' = ${check})`
      : sql.raw(since);
  const { rows } = await sql<{ id: string }>`
    SELECT r.id FROM unnest(${[...ids]}::uuid[]) AS wanted (id) JOIN routes r ON r.id = wanted.id
      LEFT JOIN operations o ON o.id = r.operation_id LEFT JOIN route_looks l ON l.route_id = r.id
      LEFT JOIN route_errors e ON e.route_id = r.id LEFT JOIN route_unmet_challenges c ON c.route_id = r.id
    ORDER BY coalesce(${order}, r.ownership_pending_since), r.domain_name LIMIT ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Classes by subscription. */
export interface Classes {
  readonly subscriptionIds: readonly string[];
  readonly classes: readonly number[];
}

/** Some domains of each class, those that wait longest for their proof first. */
export async function readOfClasses(
  db: Executor,
  accountId: string,
  { subscriptionIds, classes }: Classes,
  limit: number,
): Promise<string[]> {
  if (classes.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    SELECT found.id FROM unnest(${[...subscriptionIds]}::uuid[], ${[...classes]}::smallint[]) AS wanted (subscription_id, class)
      CROSS JOIN LATERAL (SELECT id FROM routes
        WHERE account_id = ${accountId} AND ${sql.raw(CLASS)} = wanted.class AND ${sql.raw(IS_SERVED)}
          AND routes.subscription_id = wanted.subscription_id
        ORDER BY ownership_pending_since LIMIT ${limit}) AS found`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Ids of domains of the account `$1`: those of classes that are served (first and second parameter) and of subscriptions
 * that are not (third), deleted ones too, without some (fourth), and others (fifth). Found once, whatever the planner
 * thinks of a table that it has no statistics of yet.
 */
export const HEALTH_IDS = `WITH ids AS MATERIALIZED (SELECT classed.id FROM (
    SELECT routes.id FROM unnest($#::uuid[], $#::smallint[]) AS wanted (subscription_id, class) JOIN routes
      ON routes.account_id = $1 AND health_class(routes.status, routes.version_live, routes.ownership_state,
        routes.ownership_method, routes.certificate_id) = wanted.class AND routes.status = 'running'
        AND routes.version_live IS NOT NULL AND routes.subscription_id = wanted.subscription_id
    UNION ALL SELECT routes.id FROM routes WHERE routes.account_id = $1 AND routes.subscription_id = ANY($#::uuid[])
      AND (routes.status <> 'running' OR routes.version_live IS NULL)) AS classed
    WHERE classed.id NOT IN (SELECT unnest($#::uuid[])) UNION ALL SELECT unnest($#::uuid[])) SELECT id FROM ids`;
