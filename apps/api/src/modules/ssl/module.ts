import { sslOperations } from '@cordon/contract';
import type { ApiModule, Platform } from '../../platform/module.ts';
import type { Handlers } from '../../platform/mount.ts';
import type { HealthService } from '../health/service.ts';
import type { Publication, ReceiptService } from '../publishing/service.ts';
import { createSslService } from './service.ts';

export interface SslModuleOptions {
  readonly platform: Platform;
  readonly health: HealthService;
  readonly publication: Publication;
  readonly receipts: ReceiptService;
}

export function createSslModule({ platform, health, publication, receipts }: SslModuleOptions): ApiModule {
  const ssl = createSslService({ db: platform.db, health, publication, receipts });
  const handlers: Handlers<typeof sslOperations> = {
    getSslConfig: ({ actor, params }) => ssl.get(actor.accountId, params.id),
    updateSslConfig: ({ actor, params, body }) => ssl.update(actor, params.id, body),
  };
  return { mount: (_app, mount) => mount(sslOperations, handlers) };
}
