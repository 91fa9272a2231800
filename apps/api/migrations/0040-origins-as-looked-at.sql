-- What a look found of each origin of the version it looked at, which a finding of the whole domain does not tell.
ALTER TABLE route_looks
  ADD COLUMN origins jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN origins_looked_at timestamptz;
