import type { Hsts, RouteConfig } from '@cordon/contract';
import type { Generated, JSONColumnType } from 'kysely';
import type { Json, NullableTimestamp, Timestamp } from '../../platform/columns.ts';

declare module '../../platform/database.ts' {
  interface Database {
    routes: {
      id: Generated<string>;
      account_id: string;
      subscription_id: string;
      czone: string;
      domain_name: string;
      domain_name_unicode: string;
      cname: string;
      status: 'running' | 'deactivated' | 'deleting' | 'deleted';
      draft: Json<RouteConfig>;
      draft_revision: number;
      draft_updated_at: Timestamp;
      draft_updated_by: string | null;
      version_last: Generated<number>;
      version_live: number | null;
      live: JSONColumnType<RouteConfig & object, string | null, string | null> | null;
      last_deployed: NullableTimestamp;
      pending_changes: Generated<number>;
      /** Null: they were counted only. */
      pending_settings: Generated<string[] | null>;
      upstream_summary: Generated<string>;
      ownership_state: Generated<'pending' | 'verified'>;
      ownership_method: 'cname' | 'address_and_txt' | 'demo' | 'operator' | null;
      ownership_checked_at: NullableTimestamp;
      /** Null: DNS did not answer. */
      ownership_seen: Generated<string[] | null>;
      ownership_pending_since: Timestamp;
      proof_needed_until: NullableTimestamp;
      remarks: Generated<string>;
      group_id: Generated<string>;
      force_https: Generated<boolean>;
      hsts: JSONColumnType<Hsts, string | null | undefined, string | null> | null;
      certificate_id: string | null;
      auto_generate_cert: Generated<boolean>;
      operation_id: string | null;
      immediate_operation_id: string | null;
      paused_at: NullableTimestamp;
      paused_until: NullableTimestamp;
      paused_by: string | null;
      suspended_at: NullableTimestamp;
      suspended_reason: string | null;
      created_at: Timestamp;
      updated_at: Timestamp;
      deleted_at: NullableTimestamp;
    };
    /** What lists search and sort by, kept by triggers of `routes`. */
    route_texts: {
      id: string;
      account_id: string;
      search: string;
      domain_name_unicode: string;
      status: 'running' | 'deactivated' | 'deleting';
      group_id: string;
      subscription_id: string;
      /** The transaction that wrote it last. */
      changed_by: Generated<string>;
    };
    /** Every name in use with its own state. */
    name_ownership: {
      name: string;
      account_id: string;
      route_id: string;
      kind: 'main' | 'shadow';
      ownership_state: 'pending' | 'verified';
    };
    route_counts: { account_id: string; subscription_id: string; status: string; group_id: string; routes: number };
  }
}
