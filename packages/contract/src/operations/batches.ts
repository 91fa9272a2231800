import { z } from 'zod';
import { batch, batchItem, batchItemState, batchState } from '../entities/batches.ts';
import { defineOperations, listOf, pageQuery, resultOf } from '../operation.ts';
import { rates } from '../rates.ts';

const idParams = z.object({ id: z.uuid().describe('Id of a batch.') });

export const batchOperations = defineOperations({
  listBatches: {
    method: 'GET',
    path: 'domain/batches/',
    summary: 'Jobs over many domains, newest first; kept for 30 days',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    rate: 'none',
    query: pageQuery.extend({ state: batchState.optional() }),
    ok: listOf(batch),
  },
  getBatch: {
    method: 'GET',
    path: 'domain/batches/{id}/',
    summary: 'How far a batch is',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    rate: 'none',
    params: idParams,
    ok: resultOf(batch),
  },
  listBatchItems: {
    method: 'GET',
    path: 'domain/batches/{id}/items/',
    summary: 'The result for each domain of a batch',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    rate: 'none',
    params: idParams,
    query: pageQuery.extend({ state: batchItemState.optional() }),
    ok: listOf(batchItem),
  },
  undoBatch: {
    method: 'POST',
    path: 'domain/batches/{id}/undo/',
    summary:
      'Undo once what a batch did to each domain, unless it was changed since (CHANGED_SINCE); answers the batch that does it',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    once: true,
    rate: rates.bulkStarts,
    params: idParams,
    ok: resultOf(batch),
    status: 202,
  },
  resumeBatch: {
    method: 'POST',
    path: 'domain/batches/{id}/resume/',
    summary: 'Go on with a batch that was given up: what of it failed with BATCH_STOPPED is done; answers the batch',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:write',
    once: true,
    rate: rates.bulkStarts,
    params: idParams,
    ok: resultOf(batch),
    status: 202,
  },
  exportBatch: {
    method: 'GET',
    path: 'domain/batches/{id}/export/',
    summary: 'The result for each domain of a batch as CSV',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    rate: rates.exports,
    params: idParams,
    streams: 'text/csv',
    ok: z.string(),
  },
});
