-- Bans that were lifted a moment ago, as they were: whoever lifted the wrong one has the very ban back. A table of its own,
-- so that no query and no process of an earlier release takes them for bans that hold.
CREATE TABLE lifted_bans (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  route_id uuid REFERENCES routes,
  network text NOT NULL,
  plugin text,
  reason text,
  request_id text,
  note text NOT NULL,
  banned_by text NOT NULL,
  banned_at timestamptz NOT NULL,
  ends_at timestamptz,
  lifted_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX lifted_bans_age ON lifted_bans (lifted_at);
