import { type RawBuilder, sql } from 'kysely';

/** A node that was silent for longer is offline: operations do not wait for it, it catches up later. */
const NODE_LIVENESS_SECONDS = 15;

/** One that is silent for longer is taken out of DNS: two of its beats may be lost (apps/standalone/README.md). */
export const SILENT_SECONDS = 5;

const heardOfFor = (alias: string, seconds: number) =>
  sql`${sql.ref(`${alias}.last_seen_at`)} > clock_timestamp() - make_interval(secs => ${seconds})`;

/**
 * Of a row of `edge_nodes` under its alias: heard of lately, and not taken out of DNS because it is silent. A node whose
 * nginx is down is heard of.
 */
export const isNodeLive = (alias: string): RawBuilder<boolean> => sql<boolean>`coalesce(
  ${heardOfFor(alias, NODE_LIVENESS_SECONDS)}
    AND (${sql.ref(`${alias}.down_since`)} IS NULL OR ${heardOfFor(alias, SILENT_SECONDS)}), false)`;
