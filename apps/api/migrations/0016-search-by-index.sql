-- What people read twice is searched once: a third less to look through.
DROP INDEX routes_search;
ALTER TABLE routes DROP COLUMN search;
ALTER TABLE routes ADD COLUMN search text GENERATED ALWAYS AS (lower(
  CASE WHEN domain_name_unicode = domain_name THEN domain_name ELSE domain_name || ' ' || domain_name_unicode END
    || ' ' || remarks)) STORED;
CREATE INDEX routes_search ON routes USING gin (account_id, search gin_trgm_ops) WHERE status <> 'deleted';

-- A word that most domains have in common is counted in this index, in the list's order, instead of in the wide rows
-- that are ten times as much. What does not fit into an index is in the one of long texts. The statistics tell the
-- planner how few those are.
CREATE INDEX routes_by_text ON routes (account_id, domain_name_unicode COLLATE "und-x-icu", id)
  INCLUDE (search, status, group_id, subscription_id) WHERE status <> 'deleted' AND octet_length(search) <= 1000;
CREATE INDEX routes_of_long_text ON routes (account_id) WHERE status <> 'deleted' AND octet_length(search) > 1000;
CREATE STATISTICS routes_text_length ON (octet_length(search)) FROM routes;
ANALYZE routes;

-- Without the account, the index of all its names looked as good to the planner, which read past everybody else's.
DROP INDEX routes_by_subscription;
CREATE INDEX routes_by_subscription ON routes (account_id, subscription_id, domain_name_unicode COLLATE "und-x-icu", id)
  WHERE status <> 'deleted';
