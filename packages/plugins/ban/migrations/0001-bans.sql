-- Clients that are kept out, of one domain or of all of an account. Nodes know them by the feed `bans`, where the entry of
-- the same scope and network ends when the ban does.
CREATE TABLE bans (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts,
  -- Null: all domains of the account.
  route_id uuid REFERENCES routes,
  scope uuid NOT NULL GENERATED ALWAYS AS (coalesce(route_id, account_id)) STORED,
  -- Canonical text of an address or CIDR block.
  network text NOT NULL,
  range inet NOT NULL GENERATED ALWAYS AS (network::inet) STORED,
  -- The plugin that banned it; null: a person.
  plugin text,
  -- Of the plugin's verdict; null: a person's.
  reason text,
  -- Of the request that was too much.
  request_id text,
  note text NOT NULL DEFAULT '',
  -- The person, or the node.
  banned_by text NOT NULL,
  banned_at timestamptz NOT NULL DEFAULT now(),
  -- Null: until it is lifted.
  ends_at timestamptz,
  UNIQUE (scope, network)
);
CREATE INDEX bans_account ON bans (account_id, banned_at DESC, id);
CREATE INDEX bans_range ON bans USING gist (range inet_ops);
CREATE INDEX bans_end ON bans (ends_at) WHERE ends_at IS NOT NULL;
