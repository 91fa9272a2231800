import { userInfo } from 'node:os';
import type { AuditAction, AuditDetails } from '@cordon/contract';
import type { EdgeNodeService } from '../modules/edge-nodes/service.ts';
import { insertAudit } from '../platform/audit.ts';
import type { Db, Executor } from '../platform/database.ts';
import type { OperatorEnvironment } from '../settings/env.ts';
import { OperatorError } from './usage.ts';

export interface OperatorContext {
  readonly db: Db;
  readonly env: OperatorEnvironment;
  readonly nodes: Pick<EdgeNodeService, 'addNode' | 'revokeNode' | 'setAddresses'>;
  readonly print: (line: string) => void;
  readonly readStdin: () => Promise<string>;
}

export interface Options {
  readonly email?: string;
  readonly account?: string;
  readonly name?: string;
  readonly plan?: string;
  readonly passwordStdin: boolean;
  readonly generate: boolean;
  readonly ttl?: string;
  readonly scopes?: string;
  readonly czones?: string;
  readonly address: readonly string[];
  readonly reason?: string;
}

/** Nodes belong to no account: no customer reads of them. */
type NodeAction = `operator.node_${'add' | 'address' | 'revoke'}`;

/** A line of the audit log, by the person at the terminal. */
export const audit = (
  executor: Executor,
  row: { subject: string; reason: string } & (
    | { accountId: string; action: AuditAction; details?: AuditDetails }
    | { accountId: null; action: NodeAction; details?: object }
  ),
) => insertAudit(executor, { ...row, actorKind: 'operator', actor: `operator (${userInfo().username})` });

/** The reason that the command was given. Throws OperatorError without one. */
export function requireReason(options: Options): string {
  const reason = options.reason?.trim() ?? '';
  if (reason === '') throw new OperatorError('Say why with --reason "…": the customer sees it in the audit log.');
  return reason;
}
