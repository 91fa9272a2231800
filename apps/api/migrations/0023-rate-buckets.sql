-- Token buckets of callers, shared by all processes. What a crash of the server takes with it is forgiven.
CREATE UNLOGGED TABLE rate_buckets (
  rate text NOT NULL,
  caller text NOT NULL,
  tokens double precision NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (rate, caller)
-- No index on what changes and room beside each row, so that a call rewrites its row in place.
) WITH (fillfactor = 50);
