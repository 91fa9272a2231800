CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE accounts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL CHECK (length(name) <= 200),
  time_zone text NOT NULL DEFAULT 'UTC',
  brand text NOT NULL DEFAULT 'cordon',
  suspended_at timestamptz,
  suspended_reason text,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE users (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts,
  -- `sub` of the tokens: our own id with the embedded provider, whatever an external issuer says otherwise.
  subject text NOT NULL UNIQUE,
  email text NOT NULL CHECK (length(email) <= 320),
  name text NOT NULL DEFAULT '',
  locale text NOT NULL DEFAULT 'en',
  roles text[] NOT NULL DEFAULT '{}',
  password_hash text,
  email_verified_at timestamptz,
  terms_version text,
  terms_accepted_at timestamptz,
  disabled_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX users_email ON users (lower(email));
CREATE INDEX users_account ON users (account_id);

CREATE TABLE api_tokens (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts,
  user_id uuid REFERENCES users,
  name text NOT NULL,
  token_hash bytea NOT NULL UNIQUE,
  last_four text NOT NULL,
  scopes text[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  issued_by text NOT NULL DEFAULT 'user'
);
CREATE INDEX api_tokens_account ON api_tokens (account_id);

CREATE TABLE czones (
  name text PRIMARY KEY,
  tier text NOT NULL,
  position int NOT NULL
);
INSERT INTO czones VALUES ('free01', 'free', 1), ('free02', 'free', 2), ('vip01', 'vip', 3), ('vip02', 'vip', 4);

CREATE TABLE plans (
  name text PRIMARY KEY,
  label text NOT NULL,
  tier text NOT NULL,
  position int NOT NULL,
  features jsonb NOT NULL
);
INSERT INTO plans VALUES
  ('free', 'Free', 'free', 1, '{"domains":3,"traffic_gb":10,"wildcard_domain":false,"domain_upstream":false,"custom_headers":false,"proxy_host":false,"full_websocket":false,"ipv6":false}'),
  ('vip', 'VIP', 'vip', 2, '{"domains":50,"traffic_gb":1000,"wildcard_domain":true,"domain_upstream":true,"custom_headers":true,"proxy_host":true,"full_websocket":true,"ipv6":true}'),
  ('vip-enterprise', 'VIP Enterprise', 'vip', 3, '{"domains":1000000,"traffic_gb":100000,"wildcard_domain":true,"domain_upstream":true,"custom_headers":true,"proxy_host":true,"full_websocket":true,"ipv6":true}');

CREATE TABLE subscriptions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts,
  czone text NOT NULL REFERENCES czones,
  plan text NOT NULL REFERENCES plans,
  cname text NOT NULL UNIQUE,
  status text NOT NULL DEFAULT 'active',
  expiry timestamptz,
  additional_domain_number int NOT NULL DEFAULT 0,
  additional_traffic int NOT NULL DEFAULT 0,
  -- Main names and shadow domains in use. Changed only by an UPDATE that also checks the quota: the row's lock makes it race-free.
  names_used int NOT NULL DEFAULT 0 CHECK (names_used >= 0),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX subscriptions_account ON subscriptions (account_id, created_at, id);
CREATE INDEX subscriptions_czone ON subscriptions (czone);

CREATE TABLE operations (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts,
  route_id uuid NOT NULL,
  action text NOT NULL,
  state text NOT NULL DEFAULT 'running',
  version int,
  -- Revision of edge_routes that nodes must have reached; null when the edge was not concerned.
  revision bigint,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  finished_at timestamptz,
  error text
);
CREATE INDEX operations_route ON operations (route_id, started_at DESC);
CREATE INDEX operations_running ON operations (started_at) WHERE state = 'running';

CREATE TABLE routes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts,
  subscription_id uuid NOT NULL REFERENCES subscriptions,
  czone text NOT NULL REFERENCES czones,
  domain_name text COLLATE "C" NOT NULL,
  domain_name_unicode text NOT NULL,
  cname text NOT NULL UNIQUE,
  status text NOT NULL CHECK (status IN ('running', 'deactivated', 'deleting', 'deleted')),
  draft jsonb NOT NULL,
  draft_revision int NOT NULL DEFAULT 1,
  draft_updated_at timestamptz NOT NULL DEFAULT now(),
  draft_updated_by text,
  version_last int NOT NULL DEFAULT 0,
  version_live int,
  live jsonb,
  last_deployed timestamptz,
  pending_changes int NOT NULL DEFAULT 0,
  upstream_summary text NOT NULL DEFAULT '',
  ownership_state text NOT NULL DEFAULT 'pending',
  ownership_method text,
  ownership_checked_at timestamptz,
  ownership_seen text[] NOT NULL DEFAULT '{}',
  ownership_pending_since timestamptz NOT NULL DEFAULT now(),
  -- The name was another account's shortly before: until then only the TXT proof counts.
  proof_needed_until timestamptz,
  remarks text NOT NULL DEFAULT '',
  group_id uuid,
  force_https boolean NOT NULL DEFAULT false,
  certificate_id uuid,
  auto_generate_cert boolean NOT NULL DEFAULT false,
  ipv6 boolean NOT NULL DEFAULT false,
  operation_id uuid REFERENCES operations,
  suspended_at timestamptz,
  suspended_reason text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  search text GENERATED ALWAYS AS (lower(domain_name || ' ' || domain_name_unicode || ' ' || remarks)) STORED
);
-- One index per order of the list; `id` makes the order total, so that pages neither repeat nor skip.
CREATE INDEX routes_by_name ON routes (account_id, domain_name, id) WHERE status <> 'deleted';
CREATE INDEX routes_by_deploy ON routes (account_id, last_deployed NULLS FIRST, id) WHERE status <> 'deleted';
CREATE INDEX routes_by_creation ON routes (account_id, created_at, id) WHERE status <> 'deleted';
CREATE INDEX routes_by_status ON routes (account_id, status, domain_name, id) WHERE status <> 'deleted';
CREATE INDEX routes_by_subscription ON routes (subscription_id, domain_name, id) WHERE status <> 'deleted';
CREATE INDEX routes_search ON routes USING gin (search gin_trgm_ops) WHERE status <> 'deleted';

-- How many routes, by account, subscription and status: a list of 100,000 tells its count without counting.
CREATE TABLE route_counts (
  account_id uuid NOT NULL,
  subscription_id uuid NOT NULL,
  status text NOT NULL,
  routes int NOT NULL,
  PRIMARY KEY (account_id, subscription_id, status)
);
CREATE FUNCTION count_routes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.status = NEW.status AND OLD.subscription_id = NEW.subscription_id THEN
    RETURN NULL;
  END IF;
  IF TG_OP IN ('UPDATE', 'DELETE') AND OLD.status <> 'deleted' THEN
    UPDATE route_counts SET routes = routes - 1
      WHERE account_id = OLD.account_id AND subscription_id = OLD.subscription_id AND status = OLD.status;
  END IF;
  IF TG_OP IN ('UPDATE', 'INSERT') AND NEW.status <> 'deleted' THEN
    INSERT INTO route_counts VALUES (NEW.account_id, NEW.subscription_id, NEW.status, 1)
      ON CONFLICT (account_id, subscription_id, status) DO UPDATE SET routes = route_counts.routes + 1;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER routes_counted AFTER INSERT OR UPDATE OF status, subscription_id OR DELETE ON routes
  FOR EACH ROW EXECUTE FUNCTION count_routes();

CREATE TABLE route_drafts (
  route_id uuid NOT NULL REFERENCES routes,
  revision int NOT NULL,
  config jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by text,
  PRIMARY KEY (route_id, revision)
);

-- Names in use, main names and shadow domains. The primary key is what makes "first come" race-free between accounts.
CREATE TABLE names (
  name text COLLATE "C" PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  route_id uuid NOT NULL REFERENCES routes,
  subscription_id uuid NOT NULL REFERENCES subscriptions,
  kind text NOT NULL CHECK (kind IN ('main', 'shadow')),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX names_route ON names (route_id);
-- "Every name below example.com" is a prefix of the reversed name.
CREATE INDEX names_reversed ON names (reverse(name) text_pattern_ops);

CREATE TABLE released_names (
  name text COLLATE "C" NOT NULL,
  account_id uuid NOT NULL REFERENCES accounts,
  released_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (name, account_id)
);

-- Labels ever given out, never removed: a forgotten CNAME must not lead to another account's route.
CREATE TABLE exclusive_labels (
  label text PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE route_versions (
  route_id uuid NOT NULL REFERENCES routes,
  version int NOT NULL,
  account_id uuid NOT NULL REFERENCES accounts,
  config jsonb NOT NULL,
  note text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by text,
  PRIMARY KEY (route_id, version)
);

CREATE TABLE edge_nodes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL,
  czones text[] NOT NULL,
  addresses text[] NOT NULL DEFAULT '{}',
  credential_hash bytea NOT NULL UNIQUE,
  revoked_at timestamptz,
  last_seen_at timestamptz,
  state jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX edge_nodes_name ON edge_nodes (name) WHERE revoked_at IS NULL;

CREATE TABLE deploy_receipts (
  operation_id uuid NOT NULL REFERENCES operations,
  node_id uuid NOT NULL REFERENCES edge_nodes,
  state text NOT NULL CHECK (state IN ('live', 'failed')),
  version int,
  live_ms double precision,
  probe_status int,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (operation_id, node_id)
);

CREATE SEQUENCE edge_revision;
-- The newest state of each route for the edge; a route that left has payload null.
CREATE TABLE edge_routes (
  route_id uuid PRIMARY KEY REFERENCES routes,
  account_id uuid NOT NULL,
  czone text NOT NULL,
  revision bigint NOT NULL DEFAULT 0,
  -- Sequence order is not commit order; readers go by this (docs/architecture.md, "Edge control protocol").
  txid bigint NOT NULL DEFAULT 0,
  payload jsonb,
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX edge_routes_txid ON edge_routes (txid);
CREATE INDEX edge_routes_czone ON edge_routes (czone) WHERE payload IS NOT NULL;
CREATE FUNCTION stamp_edge_route() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.revision := nextval('edge_revision');
  NEW.txid := pg_current_xact_id()::text::bigint;
  NEW.changed_at := clock_timestamp();
  PERFORM pg_notify('edge_routes', NEW.czone);
  RETURN NEW;
END $$;
CREATE TRIGGER edge_routes_stamped BEFORE INSERT OR UPDATE ON edge_routes
  FOR EACH ROW EXECUTE FUNCTION stamp_edge_route();

-- Secrets and the identity of this deployment, sealed with CORDON_SECRET_KEY where secret.
CREATE TABLE deployment (
  name text PRIMARY KEY,
  value bytea NOT NULL
);
INSERT INTO deployment VALUES ('epoch', convert_to(gen_random_uuid()::text, 'UTF8'));

CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id uuid REFERENCES accounts,
  actor_kind text NOT NULL,
  actor text NOT NULL,
  action text NOT NULL,
  subject text NOT NULL,
  reason text,
  details jsonb NOT NULL DEFAULT '{}',
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX audit_log_account ON audit_log (account_id, id DESC);

-- Progress for open consoles, kept shortly so that a reconnecting one catches up.
CREATE TABLE events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id uuid NOT NULL,
  slot text NOT NULL,
  subject_id uuid NOT NULL,
  payload jsonb NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX events_account ON events (account_id, id);
CREATE INDEX events_at ON events (at);
CREATE FUNCTION announce_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('events', NEW.account_id::text);
  RETURN NULL;
END $$;
CREATE TRIGGER events_announced AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION announce_event();

CREATE TABLE idempotency_keys (
  account_id uuid NOT NULL REFERENCES accounts,
  key text NOT NULL,
  request_hash bytea NOT NULL,
  -- Null while the first request still runs.
  status int,
  response bytea,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (account_id, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

-- Pools of job workers; each process holds an advisory lock on its own id, so that the dead can be told.
CREATE TABLE queue_pools (
  id bigint PRIMARY KEY,
  worker_ids text[] NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now()
);

-- Caches of principals are invalidated when this changes.
CREATE FUNCTION announce_principals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('principals', '');
  RETURN NULL;
END $$;
CREATE TRIGGER accounts_announced AFTER UPDATE OF suspended_at OR DELETE ON accounts
  FOR EACH STATEMENT EXECUTE FUNCTION announce_principals();
CREATE TRIGGER users_announced AFTER UPDATE OF roles, disabled_at, account_id, subject, email OR DELETE ON users
  FOR EACH STATEMENT EXECUTE FUNCTION announce_principals();
CREATE TRIGGER api_tokens_announced AFTER UPDATE OF revoked_at, expires_at, scopes OR DELETE ON api_tokens
  FOR EACH STATEMENT EXECUTE FUNCTION announce_principals();
CREATE TRIGGER edge_nodes_announced AFTER UPDATE OF revoked_at, czones OR DELETE ON edge_nodes
  FOR EACH STATEMENT EXECUTE FUNCTION announce_principals();
