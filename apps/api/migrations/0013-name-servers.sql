-- What PowerDNS answers for the service's own names: views in the shape of its gpgsql backend over the tables that hold
-- the truth. The role that reads them is made by the API (modules/dns): roles belong to the server, not to a database,
-- and neither a dump nor a clone of this one has them.
ALTER TABLE subscriptions ADD COLUMN IF NOT EXISTS ipv6 boolean NOT NULL DEFAULT false;

-- Set while a node must not be answered: its heartbeats stay away, or its nginx does not run. A state of its own instead
-- of the heartbeat's age: while the control plane is away no heartbeat arrives, which says nothing about the node.
ALTER TABLE edge_nodes ADD COLUMN down_since timestamptz;

-- Parents of the czones' names. A former CORDON_EDGE_DOMAIN stays: customers' records still point below it.
CREATE TABLE edge_zones (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE
);
CREATE TABLE name_servers (
  position int PRIMARY KEY,
  name text NOT NULL UNIQUE,
  -- Needed only where the name lies below an edge zone.
  addresses text[] NOT NULL DEFAULT '{}'
);

CREATE SCHEMA powerdns;

-- Not readable by PowerDNS itself. Where no node of a czone is up, all of them: a node that is thought dead by mistake
-- serves better than no address at all.
CREATE VIEW powerdns.czone_addresses AS
SELECT czone, type, address FROM (
  SELECT czone, address, CASE WHEN address LIKE '%:%' THEN 'AAAA' ELSE 'A' END AS type, bool_or(is_up) AS is_up,
    bool_or(bool_or(is_up)) OVER (PARTITION BY czone, address LIKE '%:%') AS is_any_up
  FROM (
    SELECT unnest(czones) AS czone, addresses, down_since IS NULL AND last_seen_at IS NOT NULL AS is_up
    FROM edge_nodes WHERE revoked_at IS NULL) node, unnest(node.addresses) AS address
  GROUP BY czone, address) known
WHERE is_up OR NOT is_any_up;

CREATE VIEW powerdns.domains AS
SELECT id, name, NULL::text AS master, NULL::int AS last_check, NULL::int AS notified_serial, 'NATIVE'::text AS type,
  ''::text AS options, ''::text AS catalog, ''::text AS account
FROM edge_zones;

-- `vip01.<zone>` has the addresses of the czone's nodes, `v4.vip01.<zone>` those of IPv4 alone; every name that belongs
-- to a customer is an alias of one of the two, answered with its addresses in one message (docs/adr/0011).
CREATE VIEW powerdns.records AS
WITH czone_names AS (
  SELECT zone.id AS domain_id, czones.name AS czone, czones.name || '.' || zone.name AS name, true AS has_ipv6
  FROM czones, edge_zones zone
  UNION ALL
  SELECT zone.id, czones.name, 'v4.' || czones.name || '.' || zone.name, false FROM czones, edge_zones zone
)
SELECT record.domain_id, record.name, record.type, record.content, record.ttl, 0 AS prio, false AS disabled,
  NULL::text AS ordername, true AS auth
FROM (
  SELECT zone.id AS domain_id, zone.name, 'SOA'::text AS type,
    server.name || ' hostmaster.' || zone.name || ' '
      || floor(extract(epoch FROM now()) / 60)::text || ' 3600 600 604800 30' AS content, 300 AS ttl
  FROM edge_zones zone, (SELECT name FROM name_servers ORDER BY position LIMIT 1) server
  UNION ALL
  SELECT zone.id, zone.name, 'NS', server.name, 300 FROM edge_zones zone, name_servers server
  UNION ALL
  SELECT zone.id, server.name, CASE WHEN address LIKE '%:%' THEN 'AAAA' ELSE 'A' END, address, 300
  FROM edge_zones zone JOIN name_servers server ON server.name LIKE '%.' || zone.name, unnest(server.addresses) AS address
  UNION ALL
  -- Without an address the row is an empty non-terminal, in whose absence the names below would not exist either.
  SELECT czone.domain_id, czone.name, found.type, found.address, 30
  FROM czone_names czone LEFT JOIN powerdns.czone_addresses found
    ON found.czone = czone.czone AND (czone.has_ipv6 OR found.type = 'A')
  UNION ALL
  SELECT zone.id, s.cname, 'CNAME', CASE WHEN s.ipv6 THEN '' ELSE 'v4.' END || s.czone || '.' || zone.name, 300
  FROM subscriptions s JOIN edge_zones zone ON zone.name = regexp_replace(s.cname, '^[^.]+\.[^.]+\.', '')
  UNION ALL
  -- A deactivated domain still leads to us, where its visitors are told so. A deleted one's name is never given again.
  SELECT zone.id, r.cname, 'CNAME', CASE WHEN s.ipv6 THEN '' ELSE 'v4.' END || r.czone || '.' || zone.name, 300
  FROM routes r JOIN subscriptions s ON s.id = r.subscription_id
    JOIN edge_zones zone ON zone.name = regexp_replace(r.cname, '^[^.]+\.[^.]+\.[^.]+\.', '')
  WHERE r.status <> 'deleted'
) record;

-- The other tables that a gpgsql backend may ask, which have nothing to tell.
CREATE VIEW powerdns.domainmetadata AS
SELECT NULL::int AS id, NULL::int AS domain_id, NULL::text AS kind, NULL::text AS content WHERE false;
CREATE VIEW powerdns.cryptokeys AS
SELECT NULL::int AS id, NULL::int AS domain_id, NULL::int AS flags, NULL::boolean AS active, NULL::boolean AS published,
  NULL::text AS content WHERE false;
CREATE VIEW powerdns.tsigkeys AS
SELECT NULL::int AS id, NULL::text AS name, NULL::text AS algorithm, NULL::text AS secret WHERE false;
CREATE VIEW powerdns.comments AS
SELECT NULL::int AS id, NULL::int AS domain_id, NULL::text AS name, NULL::text AS type, NULL::int AS modified_at,
  NULL::text AS account, NULL::text AS comment WHERE false;
CREATE VIEW powerdns.supermasters AS
SELECT NULL::inet AS ip, NULL::text AS nameserver, NULL::text AS account WHERE false;

-- Wakes name servers that keep a copy of the records.
CREATE FUNCTION announce_dns() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('dns', '');
  RETURN NULL;
END $$;
CREATE TRIGGER routes_announced_to_dns AFTER INSERT OR DELETE OR UPDATE OF cname, status, czone, subscription_id ON routes
  FOR EACH STATEMENT EXECUTE FUNCTION announce_dns();
CREATE TRIGGER subscriptions_announced_to_dns AFTER INSERT OR DELETE OR UPDATE OF cname, czone, ipv6 ON subscriptions
  FOR EACH STATEMENT EXECUTE FUNCTION announce_dns();
CREATE TRIGGER zones_announced_to_dns AFTER INSERT OR DELETE OR UPDATE ON edge_zones
  FOR EACH STATEMENT EXECUTE FUNCTION announce_dns();
CREATE TRIGGER name_servers_announced_to_dns AFTER INSERT OR DELETE OR UPDATE ON name_servers
  FOR EACH STATEMENT EXECUTE FUNCTION announce_dns();
CREATE TRIGGER added_nodes_announced_to_dns AFTER INSERT OR DELETE ON edge_nodes
  FOR EACH STATEMENT EXECUTE FUNCTION announce_dns();
-- Row by row, because every heartbeat writes these columns.
CREATE TRIGGER nodes_announced_to_dns AFTER UPDATE ON edge_nodes FOR EACH ROW
  WHEN (OLD.down_since IS DISTINCT FROM NEW.down_since OR OLD.revoked_at IS DISTINCT FROM NEW.revoked_at
    OR OLD.addresses <> NEW.addresses OR OLD.czones <> NEW.czones OR (OLD.last_seen_at IS NULL) <> (NEW.last_seen_at IS NULL))
  EXECUTE FUNCTION announce_dns();
