import { createHmac, randomBytes } from 'node:crypto';
import { type Actor, ORIGIN_KEY_HEADER, type OriginLock } from '@cordon/contract';
import { type Db, runInTransaction } from '../../platform/database.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { isOnEdge, type Publication } from '../publishing/service.ts';
import * as routes from '../routes/service.ts';
import * as locks from './lock-repository.ts';

export type LockAction = 'enable' | 'disable' | 'prepare' | 'switch' | 'cancel';

/**
 * The secret header by which an origin recognises requests that came through us. It belongs to the domain, not to a version:
 * a change is live at once, and going back to an old version does not bring an old value back.
 */
export interface OriginLockService {
  get(accountId: string, routeId: string): Promise<OriginLock>;
  /** Throws CONFLICT where the action does not fit the state. */
  change(actor: Actor, routeId: string, action: LockAction): Promise<OriginLock>;
  /** The values in clear, with a line in the audit log. Throws CONFLICT while there is no lock. */
  reveal(actor: Actor, routeId: string): Promise<{ header: string; value: string; next_value: string | null }>;
}

const SEED_BYTES = 32;
const newSeed = (): string => randomBytes(SEED_BYTES).toString('base64url');

/** The value for a seed: 32 bytes as base64url. The agents compute the same (apps/edge/src/agent/runner-route.ts). */
export const originKeyValue = (key: Buffer, routeId: string, seed: string): string =>
  createHmac('sha256', key).update(`${routeId} ${seed}`).digest('base64url');

const toLock = (row: locks.OriginLockRow | undefined): OriginLock => ({
  state: row === undefined ? 'off' : row.next_seed === null ? 'on' : 'rotating',
  changed_at: row?.changed_at ?? null,
});

/** Seeds after an action; null: no lock. Throws CONFLICT. */
function nextSeeds(row: locks.OriginLockRow | undefined, action: LockAction) {
  const { state } = toLock(row);
  if (action === 'enable' && row === undefined) return { seed: newSeed(), nextSeed: null };
  if (action === 'disable' && row !== undefined) return null;
  if (action === 'prepare' && row !== undefined && state === 'on') return { seed: row.seed, nextSeed: newSeed() };
  if (action === 'cancel' && row !== undefined && state === 'rotating') return { seed: row.seed, nextSeed: null };
  if (action === 'switch' && row?.next_seed != null) return { seed: row.next_seed, nextSeed: null };
  throw new AppError('CONFLICT', { message: `The origin lock is ${state}: it cannot ${action}.` });
}

export interface OriginLockParts {
  readonly db: Db;
  readonly key: Buffer;
  readonly publication: Publication;
}

export function createOriginLockService({ db, key, publication }: OriginLockParts): OriginLockService {
  return {
    async get(accountId, routeId) {
      if (!(await routes.findRoute(db, accountId, routeId))) throw notFound();
      return toLock(await locks.findLock(db, accountId, routeId));
    },
    change: (actor, routeId, action) =>
      runInTransaction(db, async (trx) => {
        const route = await routes.lockRoute(trx, actor.accountId, routeId);
        if (!route) throw notFound();
        const seeds = nextSeeds(await locks.findLock(trx, actor.accountId, routeId), action);
        if (seeds === null) await locks.deleteLock(trx, actor.accountId, routeId);
        const row = seeds && (await locks.putLock(trx, { routeId, accountId: actor.accountId, ...seeds }));
        await routes.auditRoute(trx, actor, `route.origin_lock.${action}`, route);
        // Preparing and cancelling change nothing that the edge sends.
        if (action !== 'prepare' && action !== 'cancel' && (await isOnEdge(trx, routeId)))
          await publication.republish(trx, routeId);
        await publication.announce(trx, [{ routeId }]);
        return toLock(row ?? undefined);
      }),
    reveal: (actor, routeId) =>
      runInTransaction(db, async (trx) => {
        const route = await routes.findRoute(trx, actor.accountId, routeId);
        if (!route) throw notFound();
        const row = await locks.findLock(trx, actor.accountId, routeId);
        if (!row) throw new AppError('CONFLICT', { message: 'The origin lock is off.' });
        await routes.auditRoute(trx, actor, 'route.origin_lock.reveal', route);
        return {
          header: ORIGIN_KEY_HEADER,
          value: originKeyValue(key, routeId, row.seed),
          next_value: row.next_seed === null ? null : originKeyValue(key, routeId, row.next_seed),
        };
      }),
  };
}
