import type { Generated } from 'kysely';
import type { NullableTimestamp, Timestamp } from '../../platform/columns.ts';

declare module '../../platform/database.ts' {
  interface Database {
    names: {
      name: string;
      account_id: string;
      route_id: string;
      subscription_id: string;
      kind: 'main' | 'shadow';
      created_at: Timestamp;
      /** Of shadow domains; a main name's is its route's. */
      ownership_state: Generated<'pending' | 'verified'>;
      ownership_method: 'cname' | 'address_and_txt' | 'demo' | 'operator' | null;
      ownership_checked_at: NullableTimestamp;
      /** Null: DNS did not answer. */
      ownership_seen: Generated<string[] | null>;
      ownership_pending_since: Timestamp;
      proof_needed_until: NullableTimestamp;
    };
    released_names: { name: string; account_id: string; released_at: Timestamp };
  }
}
