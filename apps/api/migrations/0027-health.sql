-- What only a look can know of a domain (its name in DNS, its certificate, access, origins), kept between two looks.
CREATE TABLE route_looks (
  route_id uuid PRIMARY KEY REFERENCES routes ON DELETE CASCADE,
  account_id uuid NOT NULL,
  -- When its name and certificate are to be looked at next; null: nothing of it is served by its name.
  due_at timestamptz,
  looked_at timestamptz,
  -- What the look was about: of what has changed since it says nothing.
  version int,
  domain_name text,
  ownership_state text,
  certificate_id uuid,
  -- What was not well, each since when.
  findings jsonb NOT NULL DEFAULT '[]',
  certificate_expires_at timestamptz
);
CREATE INDEX route_looks_due ON route_looks (due_at, account_id) WHERE due_at IS NOT NULL;
CREATE INDEX route_looks_due_of_account ON route_looks (account_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX route_looks_unwell ON route_looks (account_id, route_id) WHERE findings <> '[]';
-- A certificate that is not the domain's own and covers its name all the same.
CREATE INDEX route_looks_covered ON route_looks (account_id, route_id)
  WHERE certificate_expires_at IS NOT NULL AND certificate_id IS NULL;

-- Domains whose visitors got server errors in the last minutes, measured again and again.
CREATE TABLE route_errors (
  route_id uuid PRIMARY KEY REFERENCES routes ON DELETE CASCADE,
  account_id uuid NOT NULL,
  requests int NOT NULL,
  failed int NOT NULL,
  since timestamptz NOT NULL DEFAULT now(),
  measured_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX route_errors_account ON route_errors (account_id);

-- What of a domain's health its row alone says: 0 not served, 1 well, 2 without a certificate, 3 not proved, 4 both.
CREATE FUNCTION health_class(status text, version_live int, ownership_state text, ownership_method text, certificate_id uuid)
RETURNS smallint LANGUAGE sql IMMUTABLE AS $$
  SELECT (CASE WHEN status <> 'running' OR version_live IS NULL THEN 0
    ELSE 1 + CASE WHEN certificate_id IS NULL AND ownership_method IS DISTINCT FROM 'demo' THEN 1 ELSE 0 END
      + CASE WHEN ownership_state = 'verified' THEN 0 ELSE 2 END END)::smallint $$;
CREATE INDEX routes_by_health ON routes (account_id,
    health_class(status, version_live, ownership_state, ownership_method, certificate_id), ownership_pending_since)
  WHERE status = 'running' AND version_live IS NOT NULL;
-- What few domains have.
CREATE INDEX routes_suspended ON routes (account_id) WHERE suspended_at IS NOT NULL;
CREATE INDEX routes_paused ON routes (account_id) WHERE paused_at IS NOT NULL;
CREATE INDEX operations_failed ON operations (account_id, route_id) WHERE state = 'failed' AND error <> 'SUPERSEDED';

-- How many domains are in each class, so that no page has to count them. Once per statement, as route_counts.
CREATE TABLE route_health_counts (
  account_id uuid NOT NULL,
  subscription_id uuid NOT NULL,
  class smallint NOT NULL,
  routes int NOT NULL,
  PRIMARY KEY (account_id, subscription_id, class)
);
CREATE FUNCTION add_to_health_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO route_health_counts
      SELECT account_id, subscription_id, health_class(status, version_live, ownership_state, ownership_method, certificate_id) AS class, count(*)
      FROM added WHERE status <> 'deleted' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (account_id, subscription_id, class) DO UPDATE SET routes = route_health_counts.routes + excluded.routes;
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE route_health_counts c SET routes = c.routes - g.n
    FROM (SELECT account_id, subscription_id, health_class(status, version_live, ownership_state, ownership_method, certificate_id) AS class, count(*) AS n
      FROM removed WHERE status <> 'deleted' GROUP BY 1, 2, 3) g
    WHERE (c.account_id, c.subscription_id, c.class) = (g.account_id, g.subscription_id, g.class);
  ELSE
    INSERT INTO route_health_counts
      SELECT account_id, subscription_id, class, sum(n) FROM (
        SELECT account_id, subscription_id, health_class(status, version_live, ownership_state, ownership_method, certificate_id) AS class, 1 AS n
        FROM added WHERE status <> 'deleted'
        UNION ALL
        SELECT account_id, subscription_id, health_class(status, version_live, ownership_state, ownership_method, certificate_id), -1
        FROM removed WHERE status <> 'deleted') moved
      GROUP BY 1, 2, 3 HAVING sum(n) <> 0 ORDER BY 1, 2, 3
    ON CONFLICT (account_id, subscription_id, class) DO UPDATE SET routes = route_health_counts.routes + excluded.routes;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER routes_health_counted_on_insert AFTER INSERT ON routes
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_to_health_counts();
CREATE TRIGGER routes_health_counted_on_update AFTER UPDATE ON routes
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_to_health_counts();
CREATE TRIGGER routes_health_counted_on_delete AFTER DELETE ON routes
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION add_to_health_counts();

-- A deploy, a proof, a new main name, a certificate: the domain is looked at anew.
CREATE FUNCTION plan_route_look() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = 'deleted' THEN
    DELETE FROM route_looks WHERE route_id = NEW.id;
    DELETE FROM route_errors WHERE route_id = NEW.id;
  ELSIF NEW.status = 'running' AND NEW.version_live IS NOT NULL AND NEW.ownership_state = 'verified'
      AND NEW.ownership_method IS DISTINCT FROM 'demo' THEN
    INSERT INTO route_looks (route_id, account_id, due_at) VALUES (NEW.id, NEW.account_id, now())
    ON CONFLICT (route_id) DO UPDATE SET account_id = excluded.account_id, due_at = excluded.due_at;
  ELSE
    UPDATE route_looks SET account_id = NEW.account_id, due_at = NULL WHERE route_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER routes_look_planned AFTER UPDATE ON routes FOR EACH ROW
  WHEN ((OLD.account_id, OLD.status, OLD.version_live, OLD.domain_name, OLD.ownership_state, OLD.ownership_method, OLD.certificate_id)
    IS DISTINCT FROM (NEW.account_id, NEW.status, NEW.version_live, NEW.domain_name, NEW.ownership_state, NEW.ownership_method, NEW.certificate_id))
  EXECUTE FUNCTION plan_route_look();

INSERT INTO route_health_counts
  SELECT account_id, subscription_id, health_class(status, version_live, ownership_state, ownership_method, certificate_id), count(*)
  FROM routes WHERE status <> 'deleted' GROUP BY 1, 2, 3;
-- Spread over an hour: an upgrade must not ask DNS for all at once.
INSERT INTO route_looks (route_id, account_id, due_at)
  SELECT id, account_id, now() + random() * interval '1 hour' FROM routes
  WHERE status = 'running' AND version_live IS NOT NULL AND ownership_state = 'verified' AND ownership_method IS DISTINCT FROM 'demo';
ANALYZE routes;
