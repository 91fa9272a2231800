-- A search finds a domain by its origins, aliases and CNAME as well. Of the CNAME its own label: what all CNAMEs have in
-- common would make a large index larger and find everything. Bounded, for a configuration may have many targets.
CREATE OR REPLACE FUNCTION search_of(route routes) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT left(lower(concat_ws(' ', route.domain_name, nullif(route.domain_name_unicode, route.domain_name), route.remarks,
    split_part(route.cname, '.', 1),
    CASE WHEN route.draft->>'traffic_action' = 'redirect' THEN route.upstream_summary END,
    (SELECT string_agg(DISTINCT (target->>'host') || coalesce(':' || (target->>'port'), ''), ' ')
      FROM (SELECT route.draft #> '{upstreams,targets}' AS targets UNION SELECT route.live #> '{upstreams,targets}') configs,
        jsonb_array_elements(CASE jsonb_typeof(targets) WHEN 'array' THEN targets ELSE '[]' END) AS target),
    (SELECT string_agg(name, ' ' ORDER BY name) FROM (SELECT name FROM names
      WHERE route_id = route.id AND kind = 'shadow' ORDER BY name LIMIT 100) AS aliases))
    COLLATE "und-x-icu"), 4000) $$;

-- A deploy or a draft that changes nothing of it leaves the text alone, and with it the counts that hold while no text changes.
CREATE OR REPLACE FUNCTION keep_route_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = 'deleted' THEN
    DELETE FROM route_texts WHERE id = NEW.id;
  ELSE
    INSERT INTO route_texts VALUES (NEW.id, NEW.account_id, search_of(NEW), NEW.domain_name_unicode, NEW.status,
      NEW.group_id, NEW.subscription_id)
    ON CONFLICT (id) DO UPDATE SET account_id = excluded.account_id, search = excluded.search,
      domain_name_unicode = excluded.domain_name_unicode, status = excluded.status, group_id = excluded.group_id,
      subscription_id = excluded.subscription_id, changed_by = excluded.changed_by
    WHERE (route_texts.account_id, route_texts.search, route_texts.domain_name_unicode, route_texts.status, route_texts.group_id,
        route_texts.subscription_id)
      IS DISTINCT FROM (excluded.account_id, excluded.search, excluded.domain_name_unicode, excluded.status, excluded.group_id,
        excluded.subscription_id);
  END IF;
  RETURN NULL;
END $$;
DROP TRIGGER routes_text_changed ON routes;
CREATE TRIGGER routes_text_changed AFTER UPDATE ON routes FOR EACH ROW
  WHEN ((OLD.account_id, OLD.domain_name, OLD.domain_name_unicode, OLD.remarks, OLD.status, OLD.group_id, OLD.subscription_id,
      OLD.draft_revision, OLD.version_live, OLD.upstream_summary)
    IS DISTINCT FROM (NEW.account_id, NEW.domain_name, NEW.domain_name_unicode, NEW.remarks, NEW.status, NEW.group_id, NEW.subscription_id,
      NEW.draft_revision, NEW.version_live, NEW.upstream_summary))
  EXECUTE FUNCTION keep_route_text();

-- Once per statement: an import adds names by the hundred.
CREATE FUNCTION keep_alias_texts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE route_texts t SET search = search_of(r), changed_by = pg_current_xact_id() FROM routes r
  WHERE r.id = t.id AND r.id IN (SELECT route_id FROM changed WHERE kind = 'shadow') AND t.search <> search_of(r);
  RETURN NULL;
END $$;
CREATE TRIGGER names_text_added AFTER INSERT ON names
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_alias_texts();
CREATE TRIGGER names_text_removed AFTER DELETE ON names
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_alias_texts();
-- A promotion swaps an alias with the main name.
CREATE FUNCTION keep_promoted_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE route_texts t SET search = search_of(r), changed_by = pg_current_xact_id() FROM routes r
  WHERE r.id = t.id AND r.id IN (OLD.route_id, NEW.route_id) AND t.search <> search_of(r);
  RETURN NULL;
END $$;
CREATE TRIGGER names_text_changed AFTER UPDATE ON names FOR EACH ROW
  WHEN ((OLD.name, OLD.kind, OLD.route_id) IS DISTINCT FROM (NEW.name, NEW.kind, NEW.route_id))
  EXECUTE FUNCTION keep_promoted_text();

UPDATE route_texts t SET search = search_of(r), changed_by = pg_current_xact_id()
  FROM routes r WHERE r.id = t.id AND t.search <> search_of(r);
ANALYZE route_texts;
