-- What nodes know of clients apart from the configuration of routes: banned addresses, for one. The newest state of each
-- entry; one that is taken away stays for a while as one that has ended, so that nodes hear of it.
CREATE TABLE feed_entries (
  feed text NOT NULL,
  -- A route, or an account: then of all its routes.
  scope uuid NOT NULL,
  -- Canonical text of an address or CIDR block.
  network text NOT NULL,
  range inet NOT NULL GENERATED ALWAYS AS (network::inet) STORED,
  -- Null: no end.
  ends_at timestamptz,
  -- As in edge_routes: readers go by the transaction, and within it by the number.
  txid bigint NOT NULL DEFAULT 0,
  number bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (feed, scope, network)
);
CREATE SEQUENCE feed_entry_number;
CREATE INDEX feed_entries_change ON feed_entries (txid, number);
CREATE INDEX feed_entries_range ON feed_entries USING gist (range inet_ops);
CREATE INDEX feed_entries_end ON feed_entries (ends_at) WHERE ends_at IS NOT NULL;

CREATE FUNCTION stamp_feed_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.txid := pg_current_xact_id()::text::bigint;
  NEW.number := nextval('feed_entry_number');
  RETURN NEW;
END $$;
CREATE TRIGGER feed_entries_stamped BEFORE INSERT OR UPDATE ON feed_entries
  FOR EACH ROW EXECUTE FUNCTION stamp_feed_entry();

CREATE FUNCTION tell_feed_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('feed_entries', '');
  RETURN NULL;
END $$;
CREATE TRIGGER feed_entries_told AFTER INSERT OR UPDATE ON feed_entries
  FOR EACH STATEMENT EXECUTE FUNCTION tell_feed_entries();

-- Changes up to this transaction are forgotten: a node whose cursor is older takes a snapshot.
INSERT INTO deployment VALUES ('feeds_forgotten', convert_to('0', 'UTF8'));
