import type { BatchItemError, BatchItemState, BatchState, ClearSummary } from '@cordon/contract';
import type { Generated, JSONColumnType } from 'kysely';
import type { Json, NullableTimestamp, Timestamp } from '../../platform/columns.ts';

declare module '../../platform/database.ts' {
  interface Database {
    batches: {
      id: Generated<string>;
      account_id: string;
      kind: string;
      state: Generated<BatchState>;
      total: number;
      succeeded: Generated<number>;
      failed: Generated<number>;
      params: Json<Record<string, unknown>>;
      created_by: string;
      created_by_kind: 'user' | 'token' | 'operator' | 'system';
      /** Address and user agent of the request. */
      created_from: string | null;
      created_with: string | null;
      created_at: Timestamp;
      finished_at: NullableTimestamp;
      /** When the batch that undoes it was started. */
      undone_at: NullableTimestamp;
      undoes: string | null;
      clear: JSONColumnType<ClearSummary, string | null, string | null> | null;
      scheduled_for: NullableTimestamp;
      faults: Generated<number>;
    };
    batch_items: {
      batch_id: string;
      position: number;
      route_id: string | null;
      name: string;
      state: Generated<BatchItemState>;
      input: JSONColumnType<object, string | null, string | null> | null;
      error: JSONColumnType<BatchItemError & object, string | null, string | null> | null;
      operation_id: string | null;
      /** What its undo needs to know; shown to no user. */
      undo: JSONColumnType<Record<string, unknown> & object, string | null, string | null> | null;
      result: JSONColumnType<Record<string, unknown> & object, string | null, string | null> | null;
    };
  }
}
