-- A node gets the feeds of the routes of its czones and of their accounts. A route that enters a czone brings its entries and
-- those of its account along: since which transaction the edge serves it, without a break.
ALTER TABLE edge_routes ADD COLUMN entered_txid bigint NOT NULL DEFAULT 0;
CREATE INDEX edge_routes_account ON edge_routes (account_id) WHERE payload IS NOT NULL;
CREATE INDEX feed_entries_scope ON feed_entries (scope, feed, network);

CREATE OR REPLACE FUNCTION stamp_edge_route() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.revision := nextval('edge_revision');
  NEW.txid := pg_current_xact_id()::text::bigint;
  NEW.changed_at := clock_timestamp();
  IF NEW.payload IS NOT NULL AND (TG_OP = 'INSERT' OR OLD.payload IS NULL OR OLD.czone <> NEW.czone) THEN
    NEW.entered_txid := NEW.txid;
  END IF;
  PERFORM pg_notify('edge_routes', NEW.czone);
  RETURN NEW;
END $$;
