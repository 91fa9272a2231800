import type { importOperations } from '@cordon/contract';
import type { Handlers } from '../../platform/mount.ts';
import type { ImportService } from './service.ts';

export const createImportHandlers = (imports: ImportService): Handlers<typeof importOperations> => ({
  previewImport: async ({ actor, body }) => {
    const { domains, problems, names } = await imports.preview(actor.accountId, body.cname, body.rows);
    return { rows: body.rows.length, valid: domains.length, problems: [...problems], names };
  },
  startImport: ({ actor, body }) => imports.start(actor, body.cname, body.rows),
});
