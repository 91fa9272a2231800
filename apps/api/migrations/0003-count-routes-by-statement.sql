-- Row by row, a transaction that adds many routes updates one counter row that often, and each update walks the chain
-- of all versions before it: quadratic. Once per statement is enough.
DROP TRIGGER routes_counted ON routes;
DROP FUNCTION count_routes();

CREATE FUNCTION add_to_route_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO route_counts
      SELECT account_id, subscription_id, status, count(*) FROM added WHERE status <> 'deleted'
      GROUP BY account_id, subscription_id, status ORDER BY account_id, subscription_id, status
    ON CONFLICT (account_id, subscription_id, status) DO UPDATE SET routes = route_counts.routes + excluded.routes;
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE route_counts c SET routes = c.routes - g.n
    FROM (SELECT account_id, subscription_id, status, count(*) AS n FROM removed WHERE status <> 'deleted'
      GROUP BY account_id, subscription_id, status) g
    WHERE (c.account_id, c.subscription_id, c.status) = (g.account_id, g.subscription_id, g.status);
  ELSE
    INSERT INTO route_counts
      SELECT account_id, subscription_id, status, sum(n) FROM (
        SELECT account_id, subscription_id, status, 1 AS n FROM added WHERE status <> 'deleted'
        UNION ALL SELECT account_id, subscription_id, status, -1 FROM removed WHERE status <> 'deleted') moved
      GROUP BY account_id, subscription_id, status HAVING sum(n) <> 0 ORDER BY account_id, subscription_id, status
    ON CONFLICT (account_id, subscription_id, status) DO UPDATE SET routes = route_counts.routes + excluded.routes;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER routes_counted_on_insert AFTER INSERT ON routes
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_to_route_counts();
CREATE TRIGGER routes_counted_on_update AFTER UPDATE ON routes
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_to_route_counts();
CREATE TRIGGER routes_counted_on_delete AFTER DELETE ON routes
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION add_to_route_counts();
