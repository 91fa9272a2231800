import type { Timestamp } from '../../platform/columns.ts';

declare module '../../platform/database.ts' {
  interface Database {
    origin_locks: {
      route_id: string;
      account_id: string;
      seed: string;
      next_seed: string | null;
      created_at: Timestamp;
      changed_at: Timestamp;
    };
  }
}
