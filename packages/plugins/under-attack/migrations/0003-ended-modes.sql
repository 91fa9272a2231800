-- Modes that a user has ended, the last of each scope, so that a slip can be taken back as it was.
CREATE TABLE ended_attack_modes (
  scope uuid PRIMARY KEY GENERATED ALWAYS AS (coalesce(route_id, account_id)) STORED,
  account_id uuid NOT NULL REFERENCES accounts,
  -- Null: all domains of the account.
  route_id uuid REFERENCES routes,
  started_by text NOT NULL,
  started_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  requests_per_minute bigint,
  usual_per_minute bigint,
  ended_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
-- The pause that came with such an end, which goes with it.
ALTER TABLE attack_pauses ADD COLUMN ended_scope uuid;
