-- Every name proves by itself that it points here. Of a main name the route keeps it, because lists read it there; of
-- a shadow domain its own row does.
ALTER TABLE names
  ADD COLUMN ownership_state text NOT NULL DEFAULT 'pending',
  ADD COLUMN ownership_method text,
  ADD COLUMN ownership_checked_at timestamptz,
  ADD COLUMN ownership_seen text[] NOT NULL DEFAULT '{}',
  ADD COLUMN ownership_pending_since timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN proof_needed_until timestamptz;
CREATE INDEX names_shadow ON names (route_id, name) WHERE kind = 'shadow';

CREATE VIEW name_ownership AS
  SELECT n.name, n.account_id, n.route_id, n.kind,
    CASE n.kind WHEN 'main' THEN r.ownership_state ELSE n.ownership_state END AS ownership_state
  FROM names n JOIN routes r ON r.id = n.route_id;

-- What takes effect at once and makes no version (shadow domains, a pause) runs beside deploys and never ends one.
ALTER TABLE routes ADD COLUMN immediate_operation_id uuid REFERENCES operations;

-- What the route was called when the version was made, so that going back can tell which shadow domain is gone since.
ALTER TABLE route_versions ADD COLUMN names text[] NOT NULL DEFAULT '{}';
