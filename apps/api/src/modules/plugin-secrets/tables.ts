import type { NullableTimestamp, Timestamp } from '../../platform/columns.ts';

declare module '../../platform/database.ts' {
  interface Database {
    plugin_secrets: {
      account_id: string;
      handle: string;
      sealed: Buffer;
      created_at: Timestamp;
      unused_since: NullableTimestamp;
    };
  }
}
