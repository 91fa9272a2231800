-- Domains, or all of an account, whose visitors prove themselves until the end of an attack. Nodes know them by the feed
-- `under-attack`, where the entries of the scope end when the mode does.
CREATE TABLE attack_modes (
  -- The route, or the account: there is one of each at a time.
  scope uuid PRIMARY KEY GENERATED ALWAYS AS (coalesce(route_id, account_id)) STORED,
  account_id uuid NOT NULL REFERENCES accounts,
  -- Null: all domains of the account.
  route_id uuid REFERENCES routes,
  started_by text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  ends_at timestamptz NOT NULL
);
CREATE INDEX attack_modes_account ON attack_modes (account_id);
