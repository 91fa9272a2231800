import { z } from 'zod';
import { batch } from '../entities/batches.ts';
import { IMPORT_BODY_BYTES_MAX, IMPORT_COLUMNS, IMPORT_ROWS_MAX } from '../entities/import-columns.ts';
import { importRow, isNoImportRow } from '../entities/import-row.ts';
import { longList } from '../long-list.ts';
import { defineOperations, resultOf } from '../operation.ts';
import { rates } from '../rates.ts';
import { text } from '../text.ts';

const importBody = z.strictObject({
  cname: text(255).min(1).describe('The subscription that the domains will belong to.'),
  rows: longList(z.array(importRow).min(1, 'IMPORT_EMPTY').max(IMPORT_ROWS_MAX), IMPORT_ROWS_MAX, isNoImportRow),
});

const importProblem = z.object({
  row: z.number().int().describe('Number of the row as the request gives it.'),
  column: z.enum(IMPORT_COLUMNS).nullable().describe('Null: the row as a whole.'),
  code: z.string().describe('Code of a field error, or of a failure such as QUOTA_REACHED.'),
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});

export const importOperations = defineOperations({
  previewImport: {
    method: 'POST',
    path: 'domain/import/preview/',
    summary: 'Check the rows of an import file as adding them would; nothing is written',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    rate: rates.importPreviews,
    bodyBytesMax: IMPORT_BODY_BYTES_MAX,
    body: importBody,
    ok: resultOf(
      z.object({
        rows: z.number().int(),
        valid: z.number().int().describe('Rows without a problem.'),
        problems: z
          .array(importProblem)
          .describe(
            'In the order of the rows. Of a file with very many, only the first of some rows; each wrong row has one.',
          ),
        names: z
          .object({ needed: z.number().int(), left: z.number().int() })
          .describe("Names of the subscription's quota: what the rows need, and what is left."),
      }),
    ),
  },
  startImport: {
    method: 'POST',
    path: 'domain/import/',
    summary: 'Add the domains of an import file as a batch, and deploy those with status running',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    rate: rates.imports,
    bodyBytesMax: IMPORT_BODY_BYTES_MAX,
    body: importBody,
    ok: resultOf(batch),
    status: 202,
  },
});
