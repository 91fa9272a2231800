import type { Actor, DevelopmentMode } from '@cordon/contract';
import { DEVELOPMENT_FEED, SWITCH_ADDRESS, SWITCH_NETWORK } from '@cordon/plugin-kit/feeds';
import { type Db, type Executor, runInTransaction } from '../../platform/database.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { publishEvent } from '../../platform/events.ts';
import type { FeedService } from '../edge-nodes/service.ts';
import * as routes from '../routes/service.ts';
import { hasRoute } from './clear-repository.ts';

/**
 * Development mode: all requests of a domain pass by the cache for a while. Live on all nodes within a second, without a version, and over
 * by itself: nodes know its end. Another account's domain is NOT_FOUND.
 */
export interface DevelopmentService {
  get(accountId: string, routeId: string): Promise<DevelopmentMode>;
  /** From now on for so many seconds, also where it is on. Throws DOMAIN_NOT_DEPLOYED and DOMAIN_STATE_FORBIDS. */
  start(actor: Actor, routeId: string, seconds: number): Promise<DevelopmentMode>;
  /** Answers whether it was on. */
  end(actor: Actor, routeId: string): Promise<boolean>;
}

/** What development mode is made of: an entry in a feed of the nodes, by domain. */
export interface DevelopmentParts {
  readonly db: Db;
  readonly feeds: Pick<FeedService, 'find' | 'put'>;
}

/** When the development mode of a domain ends; null while it is off. */
export async function developmentEndOf(
  executor: Executor,
  feeds: Pick<FeedService, 'find'>,
  routeId: string,
): Promise<string | null> {
  const { [DEVELOPMENT_FEED]: entry } = await feeds.find(executor, [routeId], SWITCH_ADDRESS);
  return entry ? new Date(entry.until * 1000).toISOString() : null;
}

/** Nodes have the end of it as an entry of `DEVELOPMENT_FEED` in the scope of the domain. */
export function createDevelopmentService({ db, feeds }: DevelopmentParts): DevelopmentService {
  const put = (trx: Executor, scope: string, until: number) =>
    feeds.put(trx, [{ feed: DEVELOPMENT_FEED, scope, network: SWITCH_NETWORK, until }]);

  const endOf = (executor: Executor, routeId: string) => developmentEndOf(executor, feeds, routeId);

  async function lock(trx: Executor, accountId: string, routeId: string): Promise<routes.RouteRow> {
    const route = await routes.lockRoute(trx, accountId, routeId);
    if (!route) throw notFound();
    return route;
  }

  return {
    async get(accountId, routeId) {
      if (!(await hasRoute(db, accountId, routeId))) throw notFound();
      return { ends_at: await endOf(db, routeId) };
    },

    start: (actor, routeId, seconds) =>
      runInTransaction(db, async (trx) => {
        const route = await lock(trx, actor.accountId, routeId);
        routes.requireChangeable(route);
        if (route.version_live === null) throw new AppError('DOMAIN_NOT_DEPLOYED');
        // As nodes know it: in whole seconds.
        const until = Math.ceil(Date.now() / 1000) + seconds;
        const ends_at = new Date(until * 1000).toISOString();
        await put(trx, routeId, until);
        await routes.auditRoute(trx, actor, 'route.development_start', route, { seconds, until: ends_at });
        await publishEvent(trx, actor.accountId, { slot: 'domain', id: routeId });
        return { ends_at };
      }),

    end: (actor, routeId) =>
      runInTransaction(db, async (trx) => {
        const route = await lock(trx, actor.accountId, routeId);
        if ((await endOf(trx, routeId)) === null) return false;
        await put(trx, routeId, 0);
        await routes.auditRoute(trx, actor, 'route.development_end', route);
        await publishEvent(trx, actor.accountId, { slot: 'domain', id: routeId });
        return true;
      }),
  };
}
