-- What a mode was started for that nobody started: requests a minute, and what was usual. Both null: started by a user.
ALTER TABLE attack_modes ADD COLUMN requests_per_minute bigint;
ALTER TABLE attack_modes ADD COLUMN usual_per_minute bigint;

-- Domains whose mode was ended by a user: until then it is not started by itself.
CREATE TABLE attack_pauses (
  route_id uuid PRIMARY KEY REFERENCES routes,
  until timestamptz NOT NULL
);
