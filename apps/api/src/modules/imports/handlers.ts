import type { importOperations } from '@cordon/contract';
import type { UserPrincipal } from '../../platform/auth.ts';
import type { Db } from '../../platform/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { Handlers } from '../../platform/mount.ts';
import { createRateLimit } from '../../platform/rate-limit.ts';
import type { BatchService } from '../batches/service.ts';
import type { ImportCheck } from './import-check.ts';

/** A preview may look at thousands of names. */
const PREVIEWS = { burst: 20, perMinute: 20 };
const IMPORTS = { burst: 10, perMinute: 5 };

export interface ImportHandlerParts {
  readonly db: Db;
  readonly check: ImportCheck;
  readonly batches: BatchService;
}

export function createImportHandlers({ db, check, batches }: ImportHandlerParts): Handlers<typeof importOperations> {
  const previews = createRateLimit(PREVIEWS);
  const imports = createRateLimit(IMPORTS);
  const actorOf = ({ account_id, kind, label }: UserPrincipal) => ({ accountId: account_id, kind, label });

  return {
    previewImport: async ({ principal, body }) => {
      if (!previews.take(principal.account_id)) throw new AppError('TOO_MANY_REQUESTS');
      const { domains, problems, names } = await check.check(principal.account_id, body.cname, body.rows);
      return {
        success: true,
        result: { rows: body.rows.length, valid: domains.length, problems: [...problems], names },
      };
    },
    startImport: async ({ principal, body }) => {
      if (!imports.take(principal.account_id)) throw new AppError('TOO_MANY_REQUESTS');
      const domains = await check.requireRows(principal.account_id, body.cname, body.rows);
      const batch = await db.transaction().execute((trx) =>
        batches.start(trx, actorOf(principal), {
          kind: 'import',
          params: { cname: body.cname },
          items: domains.map((domain) => ({ name: domain.domain_name, input: domain })),
        }),
      );
      return { success: true, result: batch };
    },
  };
}
