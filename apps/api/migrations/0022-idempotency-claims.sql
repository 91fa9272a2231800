-- A key is held for as long as its request runs: the process renews the claim, and one that died stops.
ALTER TABLE idempotency_keys
  ADD COLUMN claim uuid,
  ADD COLUMN held_until timestamptz NOT NULL DEFAULT clock_timestamp() + interval '120 seconds';
