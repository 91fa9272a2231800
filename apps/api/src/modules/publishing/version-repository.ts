import type { Page } from '@cordon/contract';
import type { Executor } from '../../platform/database.ts';

/** Versions that a route keeps to look at and to go back to; what is live is kept besides. */
export const VERSIONS_KEPT = 1_000;

export type VersionSummaryRow = NonNullable<Awaited<ReturnType<typeof findVersionSummary>>>;

const SUMMARY = [
  'version',
  'created_at',
  'created_by',
  'created_by_kind',
  'note',
  'rolled_back_to',
  'changes',
  'changed',
  'names',
] as const;

export const countVersions = async (db: Executor, accountId: string, routeId: string): Promise<number> =>
  (
    await db
      .selectFrom('route_versions')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('route_id', '=', routeId)
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
  ).count;

export const listVersions = (db: Executor, accountId: string, routeId: string, page: Page) =>
  db
    .selectFrom('route_versions')
    .select(SUMMARY)
    .where('route_id', '=', routeId)
    .where('account_id', '=', accountId)
    .orderBy('version', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();

export const findVersion = (db: Executor, accountId: string, routeId: string, version: number) =>
  db
    .selectFrom('route_versions')
    .select([...SUMMARY, 'config', 'certificate_id'])
    .where('route_id', '=', routeId)
    .where('account_id', '=', accountId)
    .where('version', '=', version)
    .executeTakeFirst();

/** The same without its configuration. */
export const findVersionSummary = (db: Executor, accountId: string, routeId: string, version: number) =>
  db
    .selectFrom('route_versions')
    .select(SUMMARY)
    .where('route_id', '=', routeId)
    .where('account_id', '=', accountId)
    .where('version', '=', version)
    .executeTakeFirst();
