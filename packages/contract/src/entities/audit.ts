import { z } from 'zod';
import { AUDIT_ACTOR_KINDS, type AuditField } from '../audit-actions.ts';

export const auditActorKind = z.enum(AUDIT_ACTOR_KINDS);

const auditValue = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]);
export type AuditValue = z.infer<typeof auditValue>;

/** A setting that an action changed. Never holds secrets: of plugins only the names are noted (`details.changed`). */
const auditChange = z.object({
  field: z.string().describe('Name of the setting.'),
  before: auditValue,
  after: auditValue,
});
export type AuditChange = z.infer<typeof auditChange>;
/** The same as it is written: only of settings that the console has words for. */
export type NewAuditChange = AuditChange & { field: AuditField };

/** One line of an account's audit log: who did what, to what, from where. */
export const auditLine = z.object({
  id: z.number().int(),
  at: z.iso.datetime(),
  actor: z.object({
    kind: auditActorKind.describe('`token`: a personal API token. `operator`: staff of the provider.'),
    name: z.string().describe('E-mail address, or name of the token or operator.'),
  }),
  action: z.string().describe('Such as `route.deploy`; actions of plugins are `<plugin>.<verb>`.'),
  object: z.object({
    kind: z
      .string()
      .describe('`route` (a domain), `group`, `rule`, `task`, `token`, `subscription`, `user`, `account`.'),
    id: z.string().nullable(),
    name: z.string().nullable().describe('As it was called then.'),
    exists: z.boolean().describe('Whether a domain, group or rule is still there.'),
  }),
  reason: z.string().nullable().describe('Given by an operator.'),
  details: z.record(z.string(), auditValue).describe('What else is known, such as `version` and `note` of a deploy.'),
  changes: z.array(auditChange),
  address: z.string().nullable().describe('IP address of the request; null where there was none.'),
  user_agent: z.string().nullable(),
});
export type AuditLine = z.infer<typeof auditLine>;
