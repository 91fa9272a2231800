import { z } from 'zod';
import { text } from '../text.ts';
import { clearSummary } from './caching.ts';
import { routeId, timestamp } from './routes.ts';

export const batchState = z
  .enum(['running', 'successful', 'failed'])
  .describe('`failed` once it has ended and at least one domain failed.');
export type BatchState = z.infer<typeof batchState>;

/** How far a batch is; also on the websocket. */
export const batchProgress = z.object({
  id: z.uuid(),
  kind: text(64).describe('What is done to each domain, as in `deploy`.'),
  state: batchState,
  total: z.number().int().describe('Domains in the batch.'),
  succeeded: z.number().int(),
  failed: z.number().int(),
  is_undoable: z
    .boolean()
    .describe(
      'Whether an undo would do anything, once it has ended: false where all domains were changed since or are as before, and from its undo on, unless that undid nothing.',
    ),
  is_resumable: z
    .boolean()
    .describe('Whether it was given up after faults of ours, so that what failed with BATCH_STOPPED can be done yet.'),
});
export type BatchProgress = z.infer<typeof batchProgress>;

/** A job over many domains. */
export const batch = batchProgress.extend({
  created_by: z.string().describe('E-mail of who started it, or resumed it since, or the name of the API token.'),
  created_at: timestamp,
  finished_at: timestamp.nullable(),
  undoes: z.uuid().nullable().describe('The batch that it undoes; null where it is no undo.'),
  clear: clearSummary.nullable().describe('What one of kind `clear_cache` clears; null for others.'),
  scheduled_for: timestamp.nullable().describe('The time that was chosen for it; null where it began with its call.'),
});
export type Batch = z.infer<typeof batch>;

export const batchItemState = z
  .enum(['waiting', 'running', 'successful', 'failed'])
  .describe('`running` until the edge nodes have reported it.');
export type BatchItemState = z.infer<typeof batchItemState>;

/** Why one domain of a batch failed: what the same call for that domain alone would have answered. */
const batchItemError = z.object({
  code: z.string().nullable().describe('Error code as a whole; null where fields say it.'),
  message: z.string().describe('English, for users of the API.'),
  fields: z.record(z.string(), z.string()).describe('One error code per field path.'),
  params: z
    .record(z.string(), z.record(z.string(), z.union([z.string(), z.number()])))
    .describe('Values for the messages, by field path or code.'),
});
export type BatchItemError = z.infer<typeof batchItemError>;

export const batchItem = z.object({
  position: z.number().int().describe('Place in the batch; the first is 1.'),
  route_id: routeId.nullable().describe('Null while there is no such domain, as before an import has added it.'),
  name: z.string(),
  name_unicode: z.string().describe('As people read it.'),
  row: z.number().int().nullable().describe('Row of the imported file; null where the batch is no import.'),
  state: batchItemState,
  error: batchItemError.nullable(),
  operation_id: z.uuid().nullable(),
  deployed: z
    .object({
      version: z.number().int().describe('Version that it made live.'),
      live_ms: z
        .number()
        .nullable()
        .describe('Milliseconds from commit to the answered probe of the last node that reported it.'),
    })
    .nullable()
    .describe('What it made live; null while that runs, and for what stayed a draft.'),
  result: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('What the kind of batch adds. `unchanged`: another call had made the domain as asked before its turn.'),
});
export type BatchItem = z.infer<typeof batchItem>;
