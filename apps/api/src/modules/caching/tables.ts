import type { ClearKind } from '@cordon/contract';
import type { Generated } from 'kysely';
import type { Json, Timestamp } from '../../platform/columns.ts';

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
    tasks: {
      id: Generated<string>;
      account_id: string;
      kind: string;
      params: Json<{ readonly soft: boolean }>;
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
