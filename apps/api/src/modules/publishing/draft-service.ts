import type { Actor } from '@cordon/contract';
import { type Db, runInTransaction } from '../../platform/database.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { lockRoute, stateForbids } from '../routes/service.ts';
import { type DraftParts, saveDraft } from './draft.ts';
import { requireRevision } from './draft-revision.ts';

/** Drafts of domains. Another account's are NOT_FOUND. */
export interface DraftService {
  /**
   * Makes the draft that has this revision what is live, as it is: it is not checked by the rules of today. Throws
   * DOMAIN_NOT_DEPLOYED where nothing has been live, STALE_REVISION like every change of the draft.
   */
  discard(actor: Actor, routeId: string, revision: number): Promise<void>;
}

export function createDraftService(parts: DraftParts & { readonly db: Db }): DraftService {
  return {
    discard: (actor, routeId, revision) =>
      runInTransaction(parts.db, async (trx) => {
        const route = await lockRoute(trx, actor.accountId, routeId);
        if (!route) throw notFound();
        if (route.status === 'deleting') throw stateForbids(route.status);
        await requireRevision(trx, route, revision);
        if (route.live === null) throw new AppError('DOMAIN_NOT_DEPLOYED');
        await saveDraft(parts, trx, actor, route, route.live, { deploy: false, note: '', isDiscard: true });
      }),
  };
}
