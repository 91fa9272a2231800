import type { Actor } from '@cordon/contract';
import { systemActor } from '../../platform/actor.ts';
import { type Db, type Executor, runInTransaction } from '../../platform/database.ts';
import { notFound } from '../../platform/errors.ts';
import { addJob } from '../../platform/queue.ts';
import * as routes from '../routes/service.ts';
import { pauseOf } from './operations.ts';
import type { Publication } from './publication.ts';

/** Takes all protection off a domain for a while. At once, without a version; another account's are NOT_FOUND. */
export interface PauseService {
  /**
   * Minutes null: until it is ended by hand. A pause that lasts is replaced. Throws DOMAIN_STATE_FORBIDS unless running.
   */
  pause(actor: Actor, routeId: string, minutes: number | null): Promise<void>;
  /** Throws DOMAIN_STATE_FORBIDS unless paused. */
  end(actor: Actor, routeId: string): Promise<void>;
  /** Job: ends the pause whose time is over; one that was replaced meanwhile has a job of its own. */
  endWhenOver(routeId: string): Promise<void>;
}

export interface PauseParts {
  readonly db: Db;
  readonly publication: Publication;
}

export function createPauseService({ db, publication }: PauseParts): PauseService {
  async function finish(executor: Executor, actor: Actor, route: routes.RouteRow): Promise<void> {
    await routes.updateRoute(executor, route.id, routes.NOT_PAUSED);
    await routes.auditRoute(executor, actor, 'route.pause_end', route);
    await publication.changeAtOnce(executor, route, 'end_pause');
  }

  return {
    pause: (actor, routeId, minutes) =>
      runInTransaction(db, async (trx) => {
        const route = await routes.lockRoute(trx, actor.accountId, routeId);
        if (!route) throw notFound();
        routes.requireChangeable(route);
        if (route.status !== 'running') throw routes.stateForbids(route.status);
        const until = minutes === null ? null : new Date(Date.now() + minutes * 60_000);
        await routes.updateRoute(trx, route.id, {
          paused_at: new Date(),
          paused_until: until,
          paused_by: actor.label,
        });
        await routes.auditRoute(trx, actor, 'route.pause', route, { minutes, until: until?.toISOString() ?? null });
        if (until !== null)
          await addJob(trx, 'end-pause', { route_id: route.id }, { key: `end-pause/${route.id}`, runAt: until });
        await publication.changeAtOnce(trx, route, 'pause');
      }),
    end: (actor, routeId) =>
      runInTransaction(db, async (trx) => {
        const route = await routes.lockRoute(trx, actor.accountId, routeId);
        if (!route) throw notFound();
        if (route.paused_at === null) throw routes.stateForbids('not_paused', 'The domain is not paused.');
        await finish(trx, actor, route);
      }),
    endWhenOver: (routeId) =>
      runInTransaction(db, async (trx) => {
        const route = await routes.lockAnyRoute(trx, routeId);
        if (!route || route.paused_at === null || route.paused_until === null || pauseOf(route) !== null) return;
        await finish(trx, systemActor(route.account_id), route);
      }),
  };
}
