-- Domains with something to deploy: few of many, which the list filters by (`changes=pending`).
CREATE INDEX routes_not_live ON routes (account_id, domain_name_unicode COLLATE "und-x-icu", id)
  WHERE status <> 'deleted' AND (pending_changes > 0 OR version_live IS NULL);
