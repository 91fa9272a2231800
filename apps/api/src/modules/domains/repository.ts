import type { RouteConfig } from '@cordon/contract';
import { sql } from 'kysely';
import type { Executor } from '../../platform/database.ts';
import { insertNames } from '../names/service.ts';
import { keepDraft } from '../publishing/service.ts';
import type {} from './tables.ts';

/** Keeps a label for ever; false when it was given out before. */
export async function claimLabel(db: Executor, label: string): Promise<boolean> {
  const result = await sql`INSERT INTO exclusive_labels (label) VALUES (${label}) ON CONFLICT DO NOTHING`.execute(db);
  return result.numAffectedRows === 1n;
}

export interface NewRoute {
  readonly accountId: string;
  readonly subscriptionId: string;
  readonly czone: string;
  readonly domainName: string;
  readonly domainNameUnicode: string;
  readonly cname: string;
  readonly draft: RouteConfig;
  readonly by: string;
  readonly pendingSettings: readonly string[];
  readonly upstreamSummary: string;
  readonly remarks: string;
  readonly ownershipMethod: 'demo' | null;
  readonly proofNeededUntil: string | undefined;
}

/** Throws a unique violation of `names_pkey` when the name is in use. */
export async function insertRoute(db: Executor, route: NewRoute): Promise<string> {
  const draft = JSON.stringify(route.draft);
  const { id } = await db
    .insertInto('routes')
    .values({
      account_id: route.accountId,
      subscription_id: route.subscriptionId,
      czone: route.czone,
      domain_name: route.domainName,
      domain_name_unicode: route.domainNameUnicode,
      cname: route.cname,
      status: 'deactivated',
      draft,
      draft_revision: 1,
      draft_updated_by: route.by,
      pending_changes: route.pendingSettings.length,
      pending_settings: [...route.pendingSettings],
      upstream_summary: route.upstreamSummary,
      remarks: route.remarks,
      ownership_state: route.ownershipMethod === null ? 'pending' : 'verified',
      ownership_method: route.ownershipMethod,
      proof_needed_until: route.proofNeededUntil ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await insertNames(db, { id, account_id: route.accountId, subscription_id: route.subscriptionId }, 'main', [
    { name: route.domainName, method: route.ownershipMethod, proofNeededUntil: route.proofNeededUntil },
  ]);
  await keepDraft(db, id, route.by);
  return id;
}
