import { z } from 'zod';
import { AUDIT_EXPORT_MAX, AUDIT_LIST_MAX, AUDIT_RETENTION_DAYS } from '../audit-actions.ts';
import { auditActorKind, auditLine } from '../entities/audit.ts';
import { defineOperations, listOf, pageQuery, resultOf } from '../operation.ts';
import { rates } from '../rates.ts';
import { text } from '../text.ts';

/** PostgreSQL takes no year 0, and the years of this log are few. */
const moment = z.iso
  .datetime({ offset: true })
  .refine((text) => Date.parse(text) >= 0 && Date.parse(text) < Date.UTC(9999, 0), 'INVALID');

const auditFilter = z.strictObject({
  q: text(200, { trim: true })
    .optional()
    .describe('Part of who, of the name of the object, of the reason or of the address.'),
  action: text(100, { trim: true }).optional().describe('Such as `route.deploy`.'),
  actor: auditActorKind.optional(),
  from: moment.optional().describe('This time and later.'),
  to: moment.optional().describe('Before this time.'),
});

/** What happened in the account, for its users (product design, "Beyond the specification"). */
export const auditOperations = defineOperations({
  listAuditLines: {
    method: 'GET',
    path: 'user/audit/',
    summary: `The audit log, newest first: who did what, to what, from where; kept for ${AUDIT_RETENTION_DAYS} days. Reaches the newest ${AUDIT_LIST_MAX} matches; go on with \`to\``,
    auth: 'user',
    roles: ['user'],
    scope: 'audit:read',
    rate: 'none',
    query: pageQuery.extend(auditFilter.shape),
    ok: listOf(auditLine),
  },
  getAuditLine: {
    method: 'GET',
    path: 'user/audit/lines/{id}/',
    summary: 'One line of the audit log',
    auth: 'user',
    roles: ['user'],
    scope: 'audit:read',
    rate: 'none',
    params: z.object({ id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).describe('Id of a line.') }),
    ok: resultOf(auditLine),
  },
  exportAuditLines: {
    method: 'GET',
    path: 'user/audit/export/',
    summary: `The audit log as CSV, newest first, at most ${AUDIT_EXPORT_MAX} lines`,
    auth: 'user',
    roles: ['user'],
    scope: 'audit:read',
    rate: rates.exports,
    query: auditFilter,
    streams: 'text/csv',
    ok: z.string(),
  },
});
