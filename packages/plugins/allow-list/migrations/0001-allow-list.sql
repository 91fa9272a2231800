-- Clients that pass all protection of all domains of an account. Nodes know them by the feed `allowed`, where the entry of the
-- same account and network ends when this one does.
CREATE TABLE allowed_networks (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts,
  -- Canonical text of an address or CIDR block.
  network text NOT NULL,
  range inet NOT NULL GENERATED ALWAYS AS (network::inet) STORED,
  note text NOT NULL DEFAULT '',
  added_by text NOT NULL,
  added_at timestamptz NOT NULL DEFAULT now(),
  -- Null: until it is removed.
  ends_at timestamptz,
  UNIQUE (account_id, range)
);
CREATE INDEX allowed_networks_order ON allowed_networks (account_id, added_at DESC, range);
CREATE INDEX allowed_networks_end ON allowed_networks (ends_at) WHERE ends_at IS NOT NULL;

-- What was removed a moment ago, by the call that removed it: whoever removed the wrong entries has these very ones back.
CREATE TABLE removed_networks (
  id uuid PRIMARY KEY,
  removal_id uuid NOT NULL,
  account_id uuid NOT NULL REFERENCES accounts,
  network text NOT NULL,
  note text NOT NULL,
  added_by text NOT NULL,
  added_at timestamptz NOT NULL,
  ends_at timestamptz,
  removed_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX removed_networks_removal ON removed_networks (removal_id, id);
CREATE INDEX removed_networks_age ON removed_networks (removed_at);
