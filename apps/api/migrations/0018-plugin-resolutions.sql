-- What plugins fetched for a configuration (an error page, for one), until it is deployed with: a deploy asks no
-- server inside its transaction. Found by the configuration, so that a rule on many domains fetches once.
CREATE TABLE plugin_resolutions (
  account_id uuid NOT NULL REFERENCES accounts,
  plugin text NOT NULL,
  -- SHA-256 of the materialised configuration.
  config_hash bytea NOT NULL,
  resolved jsonb NOT NULL,
  resolved_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, plugin, config_hash)
);
CREATE INDEX plugin_resolutions_age ON plugin_resolutions (resolved_at);

-- The copy that a version keeps, by plugin; null where no plugin fetched anything.
ALTER TABLE route_versions ADD COLUMN resolved jsonb;
