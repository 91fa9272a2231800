import type { OriginLock } from '@cordon/contract';
import type { Db } from '../../platform/database.ts';
import { notFound } from '../../platform/errors.ts';
import type { EdgeNodeService } from '../edge-nodes/service.ts';
import { findRoute } from '../routes/service.ts';
import type { OriginLockService } from './lock-service.ts';

/** How an origin recognises requests that came through us. Another account's domains are NOT_FOUND. */
export interface OriginAccessService {
  /** Addresses of the domain's nodes, sorted, and whether there is a lock. */
  get(accountId: string, routeId: string): Promise<{ addresses: string[]; lock: OriginLock }>;
}

export interface OriginAccessParts {
  readonly db: Db;
  readonly addressesByCzone: EdgeNodeService['addressesByCzone'];
  readonly locks: OriginLockService;
}

export function createOriginAccessService({ db, addressesByCzone, locks }: OriginAccessParts): OriginAccessService {
  return {
    async get(accountId, routeId) {
      const route = await findRoute(db, accountId, routeId);
      if (!route) throw notFound();
      const addresses = (await addressesByCzone())[route.czone] ?? [];
      return { addresses: [...new Set(addresses)].sort(), lock: await locks.get(accountId, routeId) };
    },
  };
}
