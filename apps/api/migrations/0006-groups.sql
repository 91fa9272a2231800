-- Groups of domains. Every account has a default one, where new domains go.
CREATE TABLE groups (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  is_default boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX groups_name ON groups (account_id, lower(name));
CREATE UNIQUE INDEX groups_default ON groups (account_id) WHERE is_default;

INSERT INTO groups (account_id, name, is_default) SELECT id, 'Default', true FROM accounts;
CREATE FUNCTION add_default_group() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO groups (account_id, name, is_default) VALUES (NEW.id, 'Default', true);
  RETURN NULL;
END $$;
CREATE TRIGGER accounts_grouped AFTER INSERT ON accounts FOR EACH ROW EXECUTE FUNCTION add_default_group();

UPDATE routes r SET group_id = g.id FROM groups g
  WHERE g.account_id = r.account_id AND g.is_default AND r.group_id IS NULL;
-- No foreign key: deleted domains keep the group that they were in, so that to delete a group reads only what lives.
ALTER TABLE routes ALTER COLUMN group_id SET NOT NULL;
CREATE FUNCTION put_into_default_group() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT id INTO NEW.group_id FROM groups WHERE account_id = NEW.account_id AND is_default;
  RETURN NEW;
END $$;
CREATE TRIGGER routes_grouped BEFORE INSERT ON routes
  FOR EACH ROW WHEN (NEW.group_id IS NULL) EXECUTE FUNCTION put_into_default_group();

-- The order of names is that of what people read, not of the letters that DNS carries.
DROP INDEX routes_by_name, routes_by_status, routes_by_subscription;
CREATE INDEX routes_by_name ON routes (account_id, domain_name_unicode COLLATE "und-x-icu", id) WHERE status <> 'deleted';
CREATE INDEX routes_by_status ON routes (account_id, status, domain_name_unicode COLLATE "und-x-icu", id) WHERE status <> 'deleted';
CREATE INDEX routes_by_subscription ON routes (subscription_id, domain_name_unicode COLLATE "und-x-icu", id) WHERE status <> 'deleted';
CREATE INDEX routes_by_group ON routes (group_id, domain_name_unicode COLLATE "und-x-icu", id) WHERE status <> 'deleted';

CREATE INDEX routes_by_status_deploy ON routes (account_id, status, last_deployed NULLS FIRST, id) WHERE status <> 'deleted';
-- Within the account: what the neighbours have in common with the search is not read.
CREATE EXTENSION IF NOT EXISTS btree_gin;
DROP INDEX routes_search;
CREATE INDEX routes_search ON routes USING gin (account_id, search gin_trgm_ops) WHERE status <> 'deleted';

-- Counted by group as well, so that every filter but the search tells its count without counting.
ALTER TABLE route_counts ADD COLUMN group_id uuid;
DELETE FROM route_counts;
INSERT INTO route_counts (account_id, subscription_id, status, group_id, routes)
  SELECT account_id, subscription_id, status, group_id, count(*) FROM routes WHERE status <> 'deleted'
  GROUP BY account_id, subscription_id, status, group_id;
ALTER TABLE route_counts DROP CONSTRAINT route_counts_pkey;
ALTER TABLE route_counts ADD PRIMARY KEY (account_id, subscription_id, status, group_id);

CREATE OR REPLACE FUNCTION add_to_route_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO route_counts (account_id, subscription_id, status, group_id, routes)
      SELECT account_id, subscription_id, status, group_id, count(*) FROM added WHERE status <> 'deleted'
      GROUP BY account_id, subscription_id, status, group_id ORDER BY account_id, subscription_id, status, group_id
    ON CONFLICT (account_id, subscription_id, status, group_id) DO UPDATE SET routes = route_counts.routes + excluded.routes;
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE route_counts c SET routes = c.routes - g.n
    FROM (SELECT account_id, subscription_id, status, group_id, count(*) AS n FROM removed WHERE status <> 'deleted'
      GROUP BY account_id, subscription_id, status, group_id) g
    WHERE (c.account_id, c.subscription_id, c.status, c.group_id) = (g.account_id, g.subscription_id, g.status, g.group_id);
  ELSE
    INSERT INTO route_counts (account_id, subscription_id, status, group_id, routes)
      SELECT account_id, subscription_id, status, group_id, sum(n) FROM (
        SELECT account_id, subscription_id, status, group_id, 1 AS n FROM added WHERE status <> 'deleted'
        UNION ALL SELECT account_id, subscription_id, status, group_id, -1 FROM removed WHERE status <> 'deleted') moved
      GROUP BY account_id, subscription_id, status, group_id HAVING sum(n) <> 0
      ORDER BY account_id, subscription_id, status, group_id
    ON CONFLICT (account_id, subscription_id, status, group_id) DO UPDATE SET routes = route_counts.routes + excluded.routes;
  END IF;
  RETURN NULL;
END $$;
