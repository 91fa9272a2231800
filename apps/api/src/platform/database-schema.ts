import type {
  ActorKind,
  BatchItemError,
  BatchItemState,
  BatchState,
  ImmediateAction,
  OperationError,
  PluginEntry,
  RouteConfig,
  RunningOperation,
} from '@cordon/contract';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';

/** Rows as the pool reads them: times ISO 8601 UTC with milliseconds, bigint numbers, JSON parsed. */
type Timestamp = ColumnType<string, string | Date | undefined, string | Date>;
type NullableTimestamp = ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
type Json<T> = JSONColumnType<T & object, string, string>;

export interface Database {
  accounts: {
    id: Generated<string>;
    name: string;
    time_zone: Generated<string>;
    brand: Generated<string>;
    suspended_at: NullableTimestamp;
    suspended_reason: string | null;
    created_at: Timestamp;
  };
  users: {
    id: Generated<string>;
    account_id: string;
    subject: string;
    email: string;
    name: Generated<string>;
    locale: Generated<'en' | 'zh'>;
    roles: string[];
    password_hash: string | null;
    email_verified_at: NullableTimestamp;
    terms_version: string | null;
    terms_accepted_at: NullableTimestamp;
    disabled_at: NullableTimestamp;
    created_at: Timestamp;
  };
  api_tokens: {
    id: Generated<string>;
    account_id: string;
    user_id: string | null;
    name: string;
    token_hash: Buffer;
    last_four: string;
    scopes: string[];
    created_at: Timestamp;
    expires_at: Timestamp;
    revoked_at: NullableTimestamp;
    issued_by: 'user' | 'operator';
  };
  czones: { name: string; tier: 'free' | 'vip'; position: number };
  plans: { name: string; label: string; tier: 'free' | 'vip'; position: number; features: Json<PlanFeatures> };
  subscriptions: {
    id: Generated<string>;
    account_id: string;
    czone: string;
    plan: string;
    cname: string;
    status: Generated<'active' | 'expired' | 'suspended'>;
    expiry: NullableTimestamp;
    additional_domain_number: Generated<number>;
    additional_traffic: Generated<number>;
    names_used: Generated<number>;
    ipv6: Generated<boolean>;
    created_at: Timestamp;
  };
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
    upstream_summary: Generated<string>;
    ownership_state: Generated<'pending' | 'verified'>;
    ownership_method: 'cname' | 'address_and_txt' | 'demo' | 'operator' | null;
    ownership_checked_at: NullableTimestamp;
    ownership_seen: Generated<string[]>;
    ownership_pending_since: Timestamp;
    proof_needed_until: NullableTimestamp;
    remarks: Generated<string>;
    group_id: Generated<string>;
    force_https: Generated<boolean>;
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
  route_drafts: {
    route_id: string;
    revision: number;
    config: Json<RouteConfig>;
    created_at: Timestamp;
    created_by: string | null;
  };
  names: {
    name: string;
    account_id: string;
    route_id: string;
    subscription_id: string;
    kind: 'main' | 'shadow';
    created_at: Timestamp;
    /** Of aliases; a main name's is its route's. */
    ownership_state: Generated<'pending' | 'verified'>;
    ownership_method: 'cname' | 'address_and_txt' | 'demo' | 'operator' | null;
    ownership_checked_at: NullableTimestamp;
    ownership_seen: Generated<string[]>;
    ownership_pending_since: Timestamp;
    proof_needed_until: NullableTimestamp;
  };
  /** Every name in use with its own state. */
  name_ownership: {
    name: string;
    account_id: string;
    route_id: string;
    kind: 'main' | 'shadow';
    ownership_state: 'pending' | 'verified';
  };
  released_names: { name: string; account_id: string; released_at: Timestamp };
  exclusive_labels: { label: string; created_at: Timestamp };
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
    /** Main and alias names at that time. */
    names: Generated<string[]>;
    certificate_id: Generated<string | null>;
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
    at: Timestamp;
  };
  edge_routes: {
    route_id: string;
    account_id: string;
    czone: string;
    revision: Generated<number>;
    txid: Generated<number>;
    payload: JSONColumnType<object, string | null, string | null> | null;
    changed_at: Timestamp;
  };
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
  origin_locks: {
    route_id: string;
    account_id: string;
    seed: string;
    next_seed: string | null;
    created_at: Timestamp;
    changed_at: Timestamp;
  };
  deployment: { name: string; value: Buffer };
  audit_log: {
    id: Generated<number>;
    account_id: string | null;
    actor_kind: 'user' | 'token' | 'operator' | 'system';
    actor: string;
    action: string;
    subject: string;
    reason: string | null;
    details: Json<Record<string, unknown>>;
    at: Timestamp;
  };
  events: {
    id: Generated<number>;
    account_id: string;
    slot: 'issue' | 'domain' | 'shadow';
    subject_id: string;
    payload: Json<Record<string, unknown>>;
    at: Timestamp;
  };
  idempotency_keys: {
    account_id: string;
    key: string;
    request_hash: Buffer;
    status: number | null;
    response: Buffer | null;
    created_at: Timestamp;
  };
  batches: {
    id: Generated<string>;
    account_id: string;
    kind: string;
    state: Generated<BatchState>;
    total: number;
    succeeded: Generated<number>;
    failed: Generated<number>;
    params: Json<Record<string, unknown>>;
    created_by: string;
    created_by_kind: 'user' | 'token' | 'operator' | 'system';
    created_at: Timestamp;
    finished_at: NullableTimestamp;
  };
  batch_items: {
    batch_id: string;
    position: number;
    route_id: string | null;
    name: string;
    state: Generated<BatchItemState>;
    input: JSONColumnType<object, string | null, string | null> | null;
    error: JSONColumnType<BatchItemError & object, string | null, string | null> | null;
    operation_id: string | null;
    result: JSONColumnType<Record<string, unknown> & object, string | null, string | null> | null;
  };
  rules: {
    id: Generated<string>;
    account_id: string;
    subscription_id: string;
    name: string;
    description: string;
    plugins: Json<PluginEntry[]>;
    revision: Generated<number>;
    created_at: Timestamp;
    updated_at: Timestamp;
    updated_by: string | null;
    search: Generated<string>;
  };
  rule_revisions: { rule_id: string; revision: number; plugins: Json<PluginEntry[]>; created_at: Timestamp };
  rule_applications: {
    rule_id: string;
    route_id: string;
    account_id: string;
    revision: number;
    applied_at: Timestamp;
    applied_by: string | null;
  };
  groups: {
    id: Generated<string>;
    account_id: string;
    name: string;
    is_default: Generated<boolean>;
    created_at: Timestamp;
  };
  route_counts: { account_id: string; subscription_id: string; status: string; group_id: string; routes: number };
}

export interface PlanFeatures {
  domains: number;
  traffic_gb: number;
  wildcard_domain: boolean;
  domain_upstream: boolean;
  custom_headers: boolean;
  proxy_host: boolean;
  full_websocket: boolean;
  ipv6: boolean;
}
