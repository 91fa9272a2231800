-- What was cleared of caches, for the nodes of the czone: as feeds it is read by transaction and number, and what was committed since
-- a snapshot does not wait for older transactions.
CREATE TABLE cache_clears (
  id uuid PRIMARY KEY,
  -- No foreign keys: a clear must not wait for a deploy that has locked the route.
  account_id uuid NOT NULL,
  route_id uuid NOT NULL,
  czone text NOT NULL,
  kind text NOT NULL,
  -- As they were given.
  shown text[] NOT NULL,
  -- As nodes get them.
  sent text[] NOT NULL,
  -- Of the latter.
  bytes integer NOT NULL,
  soft boolean NOT NULL,
  created_by text NOT NULL,
  -- When the call came.
  created_at timestamptz NOT NULL,
  txid bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
  number bigint GENERATED ALWAYS AS IDENTITY
);
CREATE INDEX cache_clears_change ON cache_clears (txid, number);
CREATE INDEX cache_clears_route ON cache_clears (route_id, created_at DESC);
CREATE INDEX cache_clears_age ON cache_clears (created_at);

CREATE FUNCTION tell_cache_clears() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('cache_clears', '');
  RETURN NULL;
END $$;
CREATE TRIGGER cache_clears_told AFTER INSERT ON cache_clears FOR EACH STATEMENT EXECUTE FUNCTION tell_cache_clears();

-- Clears up to this transaction are forgotten: a node whose cursor is older clears all that it has.
INSERT INTO deployment VALUES ('clears_forgotten', convert_to('0', 'UTF8'));

-- The nodes on which a clear holds, with when it did, from the call on.
CREATE TABLE cache_clear_receipts (
  clear_id uuid NOT NULL REFERENCES cache_clears (id) ON DELETE CASCADE,
  node_id uuid NOT NULL REFERENCES edge_nodes (id) ON DELETE CASCADE,
  milliseconds double precision NOT NULL,
  PRIMARY KEY (clear_id, node_id)
);
CREATE INDEX cache_clear_receipts_node ON cache_clear_receipts (node_id);

-- The next clears after a position that a snapshot did not see, at most `most` and about so many bytes, and of them those of the czones
-- (null: of all), by czone. What was just written has no statistics: by them all that is left would be read and sorted.
CREATE FUNCTION clear_changes(
  after_txid bigint, after_number bigint, heard pg_snapshot, served_in text[], most integer, most_bytes bigint)
RETURNS TABLE (clears json, is_partial boolean, last_txid bigint, last_number bigint)
LANGUAGE sql STABLE SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off AS $$
  WITH found AS MATERIALIZED (
    SELECT id, txid, number, bytes FROM cache_clears
    WHERE (txid, number) > (after_txid, after_number) AND NOT pg_visible_in_snapshot(txid::text::xid8, heard)
    ORDER BY txid, number LIMIT most),
  measured AS MATERIALIZED (
    SELECT id, txid, number, sum(bytes) OVER (ORDER BY txid, number) - bytes AS bytes_before FROM found),
  part AS MATERIALIZED (SELECT id, txid, number FROM measured WHERE bytes_before < most_bytes),
  last AS (SELECT txid, number FROM part ORDER BY txid DESC, number DESC LIMIT 1)
  SELECT
    (SELECT json_object_agg(czone, told) FROM (SELECT c.czone, json_agg(json_build_object('id', c.id, 'route_id', c.route_id, 'kind', c.kind, 'values', c.sent, 'soft', c.soft,
        'age_ms', greatest(0, round(extract(epoch FROM clock_timestamp() - c.created_at) * 1000, 3)))
        ORDER BY part.txid, part.number) AS told
      FROM part JOIN cache_clears c ON c.id = part.id WHERE served_in IS NULL OR c.czone = ANY (served_in)
      GROUP BY c.czone) by_czone),
    (SELECT count(*) FROM found) = most OR (SELECT count(*) FROM part) < (SELECT count(*) FROM found),
    (SELECT txid FROM last), (SELECT number FROM last)
$$;

-- What is to be done to many domains at a time to come.
CREATE TABLE tasks (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts,
  kind text NOT NULL,
  params jsonb NOT NULL,
  -- Of the batch that it becomes: route ids and names.
  route_ids uuid[] NOT NULL,
  names text[] NOT NULL,
  run_at timestamptz NOT NULL,
  created_by text NOT NULL,
  created_by_kind text NOT NULL,
  created_from text,
  created_with text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX tasks_account ON tasks (account_id, run_at);
