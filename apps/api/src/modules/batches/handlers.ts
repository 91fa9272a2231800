import type { BatchItem, batchOperations } from '@cordon/contract';
import { csvLine, sendCsv } from '../../platform/csv.ts';
import type { Handlers } from '../../platform/mount.ts';
import type { BatchService } from './service.ts';

const CSV_HEADER = ['domain_name', 'state', 'error', 'message', 'result'];

/** Codes as the API answers them: one as a whole, or one per field. */
function errorText({ error }: BatchItem): string {
  if (!error) return '';
  const fields = Object.entries(error.fields).map(([field, code]) => `${field}: ${code}`);
  return error.code ?? fields.join('; ');
}

async function* csvOf(pieces: AsyncIterable<BatchItem[]>, hasRows: boolean): AsyncIterable<string> {
  yield csvLine([...(hasRows ? ['row'] : []), ...CSV_HEADER]);
  for await (const piece of pieces)
    yield piece
      .map((item) =>
        csvLine([
          ...(hasRows ? [String(item.row ?? '')] : []),
          item.name,
          item.state,
          errorText(item),
          item.error?.message ?? '',
          item.result === null ? '' : JSON.stringify(item.result),
        ]),
      )
      .join('');
}

export function createBatchHandlers(batches: BatchService): Handlers<typeof batchOperations> {
  return {
    listBatches: ({ actor, query, page }) => batches.list(actor.accountId, query.state, page),
    getBatch: ({ actor, params }) => batches.get(actor.accountId, params.id),
    listBatchItems: ({ actor, params, query, page }) =>
      batches.listItems(actor.accountId, params.id, query.state, page),
    undoBatch: ({ actor, params }) => batches.undo(actor, params.id),
    resumeBatch: ({ actor, params }) => batches.resume(actor, params.id),
    exportBatch: async ({ actor, params, reply }) => {
      const batch = await batches.get(actor.accountId, params.id);
      const pieces = csvOf(batches.readItems(batch.id), batches.hasRows(batch.kind));
      await sendCsv(reply, `${batch.kind}-${batch.created_at.slice(0, 10)}.csv`, pieces);
    },
  };
}
