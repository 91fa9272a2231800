import type { Timestamp } from '../../platform/columns.ts';

declare module '../../platform/database.ts' {
  interface Database {
    exclusive_labels: { label: string; created_at: Timestamp };
  }
}
