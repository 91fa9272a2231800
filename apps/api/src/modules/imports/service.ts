import type { Actor, Batch, ImportRow } from '@cordon/contract';
import { type Db, runInTransaction } from '../../platform/database.ts';
import type { BatchService } from '../batches/service.ts';
import type { ImportCheck, ImportFinding } from './import-check.ts';

/** Domains from the rows of a file. */
export interface ImportService {
  /** What adding each row would be refused for. Writes nothing. */
  preview(accountId: string, cname: string, rows: readonly ImportRow[]): Promise<ImportFinding>;
  /** Adds the domains as a batch; throws one error that names the wrong cells, and adds none then. */
  start(actor: Actor, cname: string, rows: readonly ImportRow[]): Promise<Batch>;
}

export interface ImportParts {
  readonly db: Db;
  readonly check: ImportCheck;
  readonly batches: BatchService;
}

export function createImportService({ db, check, batches }: ImportParts): ImportService {
  return {
    preview: check.check,
    async start(actor, cname, rows) {
      const domains = await check.requireRows(actor.accountId, cname, rows);
      const items = domains.map((domain) => ({ name: domain.domain_name, input: domain }));
      return runInTransaction(db, (trx) => batches.start(trx, actor, { kind: 'import', params: { cname }, items }));
    },
  };
}
