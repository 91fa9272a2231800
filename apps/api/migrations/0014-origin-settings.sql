-- Settings of the connection to origins. What is stored already was served without looking at certificates, and goes on
-- like that until its owner chooses; where nothing was connected to over TLS, the default of new domains holds.
CREATE FUNCTION with_origin_settings(config jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_set(config, '{upstreams}', jsonb_build_object(
    'connection_limit', 0,
    'tls_verification', CASE WHEN config -> 'upstreams' ->> 'protocol' = 'http' THEN 'strict' ELSE 'off' END,
    'tls_ca', NULL) || (config -> 'upstreams'))
$$;
UPDATE routes SET draft = with_origin_settings(draft), live = with_origin_settings(live);
UPDATE route_drafts SET config = with_origin_settings(config);
UPDATE route_versions SET config = with_origin_settings(config);
DROP FUNCTION with_origin_settings(jsonb);

-- The value of Cordon-Origin-Key is derived from the seed and CORDON_SECRET_KEY: nothing here is secret by itself.
CREATE TABLE origin_locks (
  route_id uuid PRIMARY KEY REFERENCES routes,
  account_id uuid NOT NULL REFERENCES accounts,
  seed text NOT NULL,
  -- Prepared by a rotation: the origin may accept it already, the edge does not send it yet.
  next_seed text,
  created_at timestamptz NOT NULL DEFAULT now(),
  changed_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX origin_locks_account ON origin_locks (account_id);
