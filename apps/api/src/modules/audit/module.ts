import { auditOperations } from '@cordon/contract';
import type { ApiModule, Platform } from '../../platform/module.ts';
import { createAuditHandlers } from './handlers.ts';
import { createAuditService } from './service.ts';

export function createAuditModule({ db }: Pick<Platform, 'db'>): ApiModule {
  const audit = createAuditService(db);
  return {
    mount: (_app, mount) => mount(auditOperations, createAuditHandlers(audit)),
    jobs: { 'purge-audit': () => audit.forgetOld() },
    recurring: [{ name: 'purge-audit', pattern: '37 3 * * *' }],
  };
}
