import type { ActorKind, ImmediateAction, OperationError, RouteConfig, RunningOperation } from '@cordon/contract';
import type { Generated, JSONColumnType } from 'kysely';
import type { Json, NullableTimestamp, Timestamp } from '../../platform/columns.ts';

declare module '../../platform/database.ts' {
  interface Database {
    route_drafts: {
      route_id: string;
      revision: number;
      config: Json<RouteConfig>;
      created_at: Timestamp;
      created_by: string | null;
    };
    route_versions: {
      route_id: string;
      version: number;
      account_id: string;
      config: Json<RouteConfig>;
      note: string;
      created_at: Timestamp;
      created_by: string | null;
      created_by_kind: Generated<ActorKind>;
      rolled_back_to: Generated<number | null>;
      changes: Generated<number | null>;
      /** Null: they were counted only. */
      changed: Generated<string[] | null>;
      /** Main name and shadow domains at that time. */
      names: Generated<string[]>;
      certificate_id: Generated<string | null>;
      /** What plugins fetched for it, by plugin. */
      resolved: JSONColumnType<Record<string, unknown>, string | null, string | null> | null;
    };
    plugin_resolutions: {
      account_id: string;
      plugin: string;
      config_hash: Buffer;
      resolved: unknown;
      resolved_at: Timestamp;
    };
    operations: {
      id: Generated<string>;
      account_id: string;
      route_id: string;
      action: RunningOperation['action'] | ImmediateAction;
      state: RunningOperation['state'];
      version: number | null;
      revision: number | null;
      started_at: Timestamp;
      finished_at: NullableTimestamp;
      error: OperationError | null;
    };
    deploy_receipts: {
      operation_id: string;
      node_id: string;
      state: 'live' | 'failed';
      version: number | null;
      live_ms: number | null;
      probe_status: number | null;
      refusal: string | null;
      at: Timestamp;
    };
    edge_routes: {
      route_id: string;
      account_id: string;
      czone: string;
      revision: Generated<number>;
      txid: Generated<number>;
      entered_txid: Generated<number>;
      payload: JSONColumnType<object, string | null, string | null> | null;
      changed_at: Timestamp;
    };
  }
}
