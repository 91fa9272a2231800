import type { auditOperations } from '@cordon/contract';
import { sendCsv } from '../../platform/csv.ts';
import type { Handlers } from '../../platform/mount.ts';
import type { AuditService } from './service.ts';

export const createAuditHandlers = (audit: AuditService): Handlers<typeof auditOperations> => ({
  listAuditLines: ({ actor, query, page }) => audit.list({ accountId: actor.accountId, ...query }, page),
  getAuditLine: ({ actor, params }) => audit.get(actor.accountId, params.id),
  exportAuditLines: async ({ actor, query, reply }) =>
    sendCsv(
      reply,
      `audit-log-${new Date().toISOString().slice(0, 10)}.csv`,
      audit.exportCsv({ accountId: actor.accountId, ...query }),
    ),
});
