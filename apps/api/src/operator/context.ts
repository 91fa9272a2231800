import { userInfo } from 'node:os';
import type { AuditAction, AuditDetails } from '@cordon/contract';
import { text } from '@cordon/contract/text';
import type { EdgeNodeService } from '../modules/edge-nodes/service.ts';
import { insertAudit } from '../platform/audit.ts';
import type { Db, Executor } from '../platform/database.ts';
import type { OperatorEnvironment } from '../settings/env.ts';
import { OperatorError } from './usage.ts';

export interface OperatorContext {
  readonly db: Db;
  readonly env: OperatorEnvironment;
  readonly nodes: Pick<EdgeNodeService, 'addNode' | 'revokeNode' | 'setAddresses' | 'setShields' | 'listShields'>;
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
  readonly czone?: string;
  readonly nodes?: string;
  readonly address: readonly string[];
  readonly reason?: string;
}

/** Nodes belong to no account: no customer reads of them. */
type NodeAction = `operator.node_${'add' | 'address' | 'revoke'}` | 'operator.czone_shield';

/** A line of the audit log, by the person at the terminal. */
export const audit = (
  executor: Executor,
  row: { subject: string; reason: string } & (
    | { accountId: string; action: AuditAction; details?: AuditDetails }
    | { accountId: null; action: NodeAction; details?: object }
  ),
) => insertAudit(executor, { ...row, actorKind: 'operator', actor: `operator (${userInfo().username})` });

const REASON_CHARACTERS_MAX = 1_000;
/** Neither control characters, nor those that turn the direction of what stands around them. */
const reasonText = text(REASON_CHARACTERS_MAX).regex(/^[^\p{Cc}\u202a-\u202e\u2066-\u2069]*$/u);

/** The reason that the command was given. Throws OperatorError without one. */
export function requireReason(options: Options): string {
  const reason = options.reason?.trim() ?? '';
  if (!reasonText.safeParse(reason).success)
    throw new OperatorError(
      `--reason takes up to ${REASON_CHARACTERS_MAX} characters, none of them a control character.`,
    );
  if (reason === '') throw new OperatorError('Say why with --reason "…": the customer sees it in the audit log.');
  return reason;
}
