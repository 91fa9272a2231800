-- A list of 100,000 addresses is one transaction, and nodes hear of it within a second.

-- As gist, in half the time for a new entry.
DROP INDEX feed_entries_range;
CREATE INDEX feed_entries_range ON feed_entries USING spgist (range inet_ops);

-- New entries are stamped without a call of the trigger for each.
ALTER TABLE feed_entries ALTER txid SET DEFAULT pg_current_xact_id()::text::bigint,
  ALTER number SET DEFAULT nextval('feed_entry_number');
DROP TRIGGER feed_entries_stamped ON feed_entries;
CREATE TRIGGER feed_entries_stamped BEFORE UPDATE ON feed_entries FOR EACH ROW EXECUTE FUNCTION stamp_feed_entry();

-- The next `most` changes after a position that a snapshot did not see, and of them those of routes that nodes of the czones
-- serve and of their accounts, as JSON. What was just written has no statistics: by them all that is left would be read and
-- sorted for each part. Scopes are looked up one at a time, not among all routes.
CREATE FUNCTION feed_changes(after_txid bigint, after_number bigint, heard pg_snapshot, served_in text[], most integer)
RETURNS TABLE (entries text, taken integer, last_txid bigint, last_number bigint)
LANGUAGE sql STABLE SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off AS $$
  WITH part AS MATERIALIZED (
    SELECT feed, scope, network, txid, number,
      CASE WHEN ends_at <= clock_timestamp() THEN 0 ELSE ceil(extract(epoch FROM ends_at))::bigint END AS until
    FROM feed_entries
    WHERE (txid, number) > (after_txid, after_number) AND NOT pg_visible_in_snapshot(txid::text::xid8, heard)
    ORDER BY txid, number LIMIT most),
  served AS MATERIALIZED (
    SELECT scope FROM (SELECT DISTINCT scope FROM part) scopes WHERE coalesce(
      (SELECT true FROM edge_routes WHERE route_id = scope AND payload IS NOT NULL AND czone = ANY (served_in) LIMIT 1),
      (SELECT true FROM edge_routes WHERE account_id = scope AND payload IS NOT NULL AND czone = ANY (served_in) LIMIT 1))),
  last AS (SELECT txid, number FROM part ORDER BY txid DESC, number DESC LIMIT 1)
  SELECT
    (SELECT '[' || string_agg('{"feed":' || to_json(feed) || ',"scope":"' || scope || '","network":' || to_json(network)
      || ',"until":' || coalesce(until::text, 'null') || '}', ',') || ']'
      FROM part WHERE scope IN (SELECT scope FROM served)),
    (SELECT count(*)::integer FROM part), (SELECT txid FROM last), (SELECT number FROM last)
$$;

-- One index for both: what conflicts is the same in any order, and readers go by the scope first.
ALTER TABLE feed_entries DROP CONSTRAINT feed_entries_pkey;
DROP INDEX feed_entries_scope;
ALTER TABLE feed_entries ADD PRIMARY KEY (scope, feed, network);
