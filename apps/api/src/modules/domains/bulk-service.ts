import type { Actor, Batch, BulkAction } from '@cordon/contract';
import { parseDomainName } from '@cordon/contract';
import type pg from 'pg';
import { type Db, runInTransaction } from '../../platform/database.ts';
import { fieldErrors } from '../../platform/errors.ts';
import type { BatchService } from '../batches/service.ts';
import type { GroupService } from '../groups/service.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import type { BulkParams } from './bulk-kinds.ts';
import { findMatching, findNamed, type RouteFilter } from './list-repository.ts';

export interface BulkRequest {
  readonly action: BulkAction;
  readonly selection: { readonly names: readonly string[] } | { readonly filter: RouteFilter };
  readonly cname: string | undefined;
  readonly group_id: string | undefined;
  readonly note: string;
}

/** One thing done to many domains of an account, as a batch with a result for each. */
export interface BulkService {
  /**
   * Throws SELECTION_EMPTY at `selection`, SUBSCRIPTION_NOT_FOUND for `cname`, NOT_FOUND for `group_id`, each also for
   * another account's. A name that is none of the account's domains fails in the batch.
   */
  start(actor: Actor, request: BulkRequest): Promise<Batch>;
}

export interface BulkServiceParts {
  readonly db: Db;
  readonly pool: pg.Pool;
  readonly subscriptions: SubscriptionService;
  readonly batches: BatchService;
  readonly groups: GroupService;
}

export function createBulkService({ db, pool, subscriptions, batches, groups }: BulkServiceParts): BulkService {
  async function select(actor: Actor, selection: BulkRequest['selection']) {
    if ('filter' in selection)
      return (await findMatching(pool, selection.filter)).map(({ id, name }) => ({ routeId: id, name }));
    // As typed: what cannot be a name is reported as not found, like one that no account has.
    const asked = [
      ...new Set(
        selection.names.map((text) => {
          const parsed = parseDomainName(text);
          return parsed.ok ? parsed.name : text;
        }),
      ),
    ];
    const found = new Map((await findNamed(pool, actor.accountId, asked)).map(({ id, name }) => [name, id]));
    return asked.map((name) => {
      const routeId = found.get(name);
      return routeId === undefined ? { name } : { routeId, name };
    });
  }

  return {
    async start(actor, { action, selection, cname, group_id, note }) {
      const subscription = cname === undefined ? undefined : await subscriptions.get(actor.accountId, { cname });
      if (group_id !== undefined) await groups.get(actor.accountId, group_id);
      const items = await select(actor, selection);
      if (items.length === 0) throw fieldErrors({ selection: 'SELECTION_EMPTY' });
      const params: BulkParams = {
        ...(subscription ? { subscription_id: subscription.id } : {}),
        ...(group_id === undefined ? {} : { group_id }),
        ...(note === '' ? {} : { note }),
      };
      return runInTransaction(db, (executor) => batches.start(executor, actor, { kind: action, params, items }));
    },
  };
}
