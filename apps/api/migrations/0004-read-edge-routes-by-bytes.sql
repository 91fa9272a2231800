-- Rows of edge_routes differ in size a thousandfold: a reading is bounded by bytes as well, which only the server can
-- do before it sends them. The row that passes the bound is still part of the reading, so that every reading advances.

-- STABLE: sees exactly what the statement that calls it sees.
CREATE FUNCTION read_edge_changes(
  wanted text[], from_txid bigint, after_revision bigint, below_txid bigint, rows_max int, bytes_max bigint)
RETURNS TABLE (route_id uuid, revision bigint, txid bigint, payload jsonb, is_full boolean)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  row record;
  bytes bigint := 0;
  n int := 0;
BEGIN
  FOR row IN
    SELECT r.route_id, r.revision, r.txid, r.payload FROM edge_routes r
    WHERE r.txid >= from_txid AND r.txid < below_txid AND r.czone = ANY(wanted)
      AND (r.txid > from_txid OR r.revision > after_revision)
    ORDER BY r.txid, r.revision LIMIT rows_max
  LOOP
    bytes := bytes + coalesce(octet_length(row.payload::text), 0);
    n := n + 1;
    RETURN QUERY SELECT row.route_id, row.revision, row.txid, row.payload, bytes >= bytes_max OR n >= rows_max;
    EXIT WHEN bytes >= bytes_max;
  END LOOP;
END $$;

CREATE FUNCTION fetch_lines(lines refcursor, rows_max int, bytes_max bigint) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  line text;
  bytes bigint := 0;
BEGIN
  FOR n IN 1..rows_max LOOP
    FETCH lines INTO line;
    EXIT WHEN NOT FOUND;
    RETURN NEXT line;
    bytes := bytes + octet_length(line);
    EXIT WHEN bytes >= bytes_max;
  END LOOP;
END $$;
