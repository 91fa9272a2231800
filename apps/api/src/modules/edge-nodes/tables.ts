import type { EdgeLook, EdgeLookResult, EdgeTest, EdgeTestResult } from '@cordon/contract';
import type { Generated } from 'kysely';
import type { Json, NullableTimestamp, Timestamp } from '../../platform/columns.ts';

declare module '../../platform/database.ts' {
  interface Database {
    edge_nodes: {
      id: Generated<string>;
      name: string;
      czones: string[];
      addresses: string[];
      credential_hash: Buffer;
      revoked_at: NullableTimestamp;
      last_seen_at: NullableTimestamp;
      /** Since when DNS does not answer its addresses. */
      down_since: NullableTimestamp;
      state: Json<Record<string, unknown>>;
      created_at: Timestamp;
    };
    czone_shields: { czone: string; node_id: string };
    edge_tests: {
      id: string;
      node_id: string;
      test: Json<EdgeTest>;
      sent_at: NullableTimestamp;
      results: Json<EdgeTestResult[]> | null;
      created_at: Timestamp;
    };
    edge_looks: {
      id: string;
      node_id: string;
      look: Json<EdgeLook>;
      sent_at: NullableTimestamp;
      result: Json<EdgeLookResult> | null;
      created_at: Timestamp;
    };
    feed_entries: {
      feed: string;
      scope: string;
      network: string;
      range: Generated<string>;
      ends_at: NullableTimestamp;
      txid: Generated<number>;
      number: Generated<number>;
    };
  }
}
