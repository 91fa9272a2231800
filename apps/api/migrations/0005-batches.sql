-- A job over many domains with a result for each of them.
CREATE TABLE batches (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts,
  kind text NOT NULL CHECK (length(kind) <= 64),
  state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'successful', 'failed')),
  total int NOT NULL,
  succeeded int NOT NULL DEFAULT 0,
  failed int NOT NULL DEFAULT 0,
  params jsonb NOT NULL DEFAULT '{}',
  created_by text NOT NULL,
  created_by_kind text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  finished_at timestamptz
);
CREATE INDEX batches_account ON batches (account_id, created_at DESC, id);
CREATE INDEX batches_running ON batches (created_at) WHERE state = 'running';

CREATE TABLE batch_items (
  batch_id uuid NOT NULL REFERENCES batches ON DELETE CASCADE,
  position int NOT NULL,
  route_id uuid,
  name text NOT NULL CHECK (length(name) <= 500),
  -- waiting: nothing done yet. running: done, and its operation has not ended.
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'successful', 'failed')),
  input jsonb,
  error jsonb,
  operation_id uuid,
  result jsonb,
  PRIMARY KEY (batch_id, position)
);
CREATE INDEX batch_items_state ON batch_items (batch_id, state, position);
