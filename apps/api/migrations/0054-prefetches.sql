-- URLs of domains that nodes fetch into their caches.
CREATE TABLE prefetches (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts,
  route_id uuid NOT NULL,
  czone text NOT NULL,
  -- As they were given.
  shown text[] NOT NULL,
  -- As nodes get them: {scheme, host, target}, null for both schemes and for all of `hosts`.
  urls jsonb NOT NULL,
  hosts text[] NOT NULL,
  devices text[] NOT NULL,
  languages text[] NOT NULL,
  refresh boolean NOT NULL,
  -- Requests of each node.
  visits integer NOT NULL,
  -- Of the deploy that it follows; null: it was called for.
  version integer,
  created_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  cancelled_at timestamptz,
  ended_at timestamptz
);
CREATE INDEX prefetches_route ON prefetches (route_id, created_at DESC);
CREATE INDEX prefetches_running ON prefetches (account_id) WHERE ended_at IS NULL;
CREATE INDEX prefetches_age ON prefetches (created_at);

-- What came of it on each node of the czone that there was.
CREATE TABLE prefetch_nodes (
  prefetch_id uuid NOT NULL REFERENCES prefetches (id) ON DELETE CASCADE,
  node_id uuid NOT NULL REFERENCES edge_nodes (id) ON DELETE CASCADE,
  state text NOT NULL,
  kept integer NOT NULL DEFAULT 0,
  fresh integer NOT NULL DEFAULT 0,
  unkept integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  problems jsonb NOT NULL DEFAULT '[]',
  -- When its stream had it.
  sent_at timestamptz,
  heard_at timestamptz,
  ended_at timestamptz,
  -- When its stream had the end of one that was cancelled, or written off as silent.
  end_sent_at timestamptz,
  PRIMARY KEY (prefetch_id, node_id)
);
CREATE INDEX prefetch_nodes_node ON prefetch_nodes (node_id);
CREATE INDEX prefetch_nodes_unsent ON prefetch_nodes (node_id) WHERE sent_at IS NULL AND state = 'waiting';
CREATE INDEX prefetch_nodes_untold ON prefetch_nodes (node_id)
  WHERE sent_at IS NOT NULL AND end_sent_at IS NULL AND state IN ('cancelled', 'silent', 'timed_out');

-- The URLs of a domain that are fetched by themselves.
CREATE TABLE prefetch_lists (
  route_id uuid PRIMARY KEY REFERENCES routes (id) ON DELETE CASCADE,
  account_id uuid NOT NULL REFERENCES accounts,
  urls text[] NOT NULL,
  after_deploy boolean NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  updated_by text NOT NULL,
  -- Why it was not fetched after the last deploy.
  skipped jsonb
);
