import type { ClearKind, EdgePrefetch, EdgePrefetchReport, PrefetchList, PrefetchNode } from '@cordon/contract';
import type { Generated } from 'kysely';
import type { Json, NullableTimestamp, Timestamp } from '../../platform/columns.ts';
import type { ClearParams } from './clear-values.ts';

declare module '../../platform/database.ts' {
  interface Database {
    cache_clears: {
      id: string;
      account_id: string;
      route_id: string;
      czone: string;
      kind: ClearKind;
      shown: string[];
      sent: string[];
      bytes: number;
      soft: boolean;
      created_by: string;
      created_at: Timestamp;
      txid: Generated<number>;
      number: Generated<number>;
    };
    cache_clear_receipts: { clear_id: string; node_id: string; milliseconds: number };
    prefetches: {
      id: Generated<string>;
      account_id: string;
      route_id: string;
      czone: string;
      shown: string[];
      urls: Json<EdgePrefetch['urls']>;
      hosts: string[];
      devices: string[];
      languages: string[];
      refresh: boolean;
      visits: number;
      left_out: Generated<number>;
      version: number | null;
      created_by: string;
      created_at: Timestamp;
      cancelled_at: NullableTimestamp;
      ended_at: NullableTimestamp;
    };
    prefetch_nodes: {
      prefetch_id: string;
      node_id: string;
      state: PrefetchNode['state'];
      kept: Generated<number>;
      fresh: Generated<number>;
      unkept: Generated<number>;
      failed: Generated<number>;
      problems: Json<NonNullable<EdgePrefetchReport['problems']>>;
      sent_at: NullableTimestamp;
      heard_at: NullableTimestamp;
      ended_at: NullableTimestamp;
      end_sent_at: NullableTimestamp;
    };
    prefetch_lists: {
      route_id: string;
      account_id: string;
      urls: string[];
      after_deploy: boolean;
      updated_at: Timestamp;
      updated_by: string;
      skipped: Json<NonNullable<PrefetchList['skipped']>> | null;
    };
    tasks: {
      id: Generated<string>;
      account_id: string;
      kind: string;
      params: Json<ClearParams>;
      route_ids: string[];
      names: string[];
      run_at: Timestamp;
      created_by: string;
      created_by_kind: 'user' | 'token' | 'operator' | 'system';
      created_from: string | null;
      created_with: string | null;
      created_at: Timestamp;
    };
  }
}
