import type { Generated } from 'kysely';
import type { Timestamp } from '../../platform/columns.ts';

declare module '../../platform/database.ts' {
  interface Database {
    groups: {
      id: Generated<string>;
      account_id: string;
      name: string;
      is_default: Generated<boolean>;
      created_at: Timestamp;
    };
  }
}
