import type { originOperations } from '@cordon/contract';
import type { Db } from '../../platform/database.ts';
import { fieldErrors, notFound } from '../../platform/errors.ts';
import type { Handlers } from '../../platform/mount.ts';
import type { AccountService } from '../accounts/service.ts';
import { actorOf, type RequireRate } from '../domains/handlers.ts';
import * as repository from '../routes/repository.ts';
import type { OriginHealthService } from './health-service.ts';
import type { OriginLockService } from './lock-service.ts';
import { readTlsCa } from './tls-ca.ts';

export interface OriginHandlerParts {
  readonly db: Db;
  readonly accounts: AccountService;
  readonly locks: OriginLockService;
  readonly health: OriginHealthService;
  readonly requireRate: RequireRate;
}

export function createOriginHandlers(parts: OriginHandlerParts): Handlers<typeof originOperations> {
  const { requireRate } = parts;
  return {
    getOriginHealth: async ({ principal, params }) => ({
      success: true,
      result: await parts.health.read(principal.account_id, params.id),
    }),
    getOriginAccess: async ({ principal, params }) => {
      const route = await repository.findRoute(parts.db, principal.account_id, params.id);
      if (!route) throw notFound();
      const addresses = (await parts.accounts.nodeAddresses())[route.czone] ?? [];
      const lock = await parts.locks.get(principal.account_id, params.id);
      return { success: true, result: { addresses: [...new Set(addresses)].sort(), lock } };
    },
    changeOriginLock: async ({ principal, params, body }) => {
      requireRate(principal);
      return { success: true, result: await parts.locks.change(actorOf(principal), params.id, body.action) };
    },
    revealOriginKey: async ({ principal, params }) => {
      requireRate(principal);
      return { success: true, result: await parts.locks.reveal(actorOf(principal), params.id) };
    },
    readCertificates: async ({ body }) => {
      const read = readTlsCa(body.pem, new Date());
      if (!read.ok) throw fieldErrors({ pem: read.code }, read.params ? { pem: read.params } : {});
      return { success: true, result: read.certificates };
    },
  };
}
