import type { Actor, Batch } from '@cordon/contract';
import { type Db, runInTransaction } from '../../platform/database.ts';
import { notFound } from '../../platform/errors.ts';
import type { BatchService } from '../batches/service.ts';
import type { NameClaims } from '../names/service.ts';
import * as routes from '../routes/service.ts';
import type { SubscriptionService } from '../subscriptions/service.ts';
import { CLONE, type CloneParams } from './clone-kind.ts';

export interface NewClones {
  readonly domain_names: readonly string[];
  /** Of the subscription; the source's own unless given. */
  readonly cname?: string | undefined;
  readonly remarks: string;
  readonly deploy: boolean;
}

export interface CloneService {
  /**
   * Adds domains with the configuration of a domain's draft as it is now. Names, CNAME, ownership, versions, shadow
   * domains and certificates stay the source's. Throws NOT_FOUND for another account's domain, and one error for all names that are
   * taken.
   */
  start(actor: Actor, routeId: string, clones: NewClones): Promise<Batch>;
}

export function createCloneService(parts: {
  db: Db;
  subscriptions: SubscriptionService;
  batches: BatchService;
  claims: Pick<NameClaims, 'checkFree'>;
}): CloneService {
  const { db, subscriptions, batches, claims } = parts;
  return {
    async start(actor, routeId, { domain_names: names, cname, remarks, deploy }) {
      const source = await routes.findRoute(db, actor.accountId, routeId);
      if (!source) throw notFound();
      const by = cname === undefined ? { id: source.subscription_id } : { cname };
      const subscription = await subscriptions.get(actor.accountId, by);
      await claims.checkFree({ accountId: actor.accountId, names, pathOf: (index) => `domain_names.${index}` });
      const params: CloneParams = {
        cname: subscription.cname,
        source: source.domain_name,
        config: source.draft,
        remarks,
        deploy,
      };
      return runInTransaction(db, (trx) =>
        batches.start(trx, actor, {
          kind: CLONE,
          params: { ...params },
          items: names.map((name) => ({ name })),
        }),
      );
    },
  };
}
