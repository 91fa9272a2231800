-- Origins are looked at again and again, also those of the demo and of names that are not proved, and more often than names
-- and certificates: `due_at` is when a domain is due at all, `name_due_at` when its name and certificate are (null: with it).
ALTER TABLE route_looks ADD COLUMN name_due_at timestamptz;
CREATE OR REPLACE FUNCTION plan_route_look() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = 'deleted' THEN
    DELETE FROM route_looks WHERE route_id = NEW.id;
    DELETE FROM route_errors WHERE route_id = NEW.id;
  ELSIF NEW.status = 'running' AND NEW.version_live IS NOT NULL THEN
    INSERT INTO route_looks (route_id, account_id, due_at) VALUES (NEW.id, NEW.account_id, now())
    ON CONFLICT (route_id) DO UPDATE SET account_id = excluded.account_id, due_at = excluded.due_at, name_due_at = NULL;
  ELSE
    UPDATE route_looks SET account_id = NEW.account_id, due_at = NULL WHERE route_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION plan_alias_look() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE route_looks SET due_at = least(due_at, now()), name_due_at = NULL
  WHERE due_at IS NOT NULL AND route_id IN (SELECT route_id FROM changed WHERE kind = 'shadow');
  RETURN NULL;
END $$;
-- Spread over a quarter of an hour: an upgrade must not ask all origins at once.
UPDATE route_looks l SET name_due_at = l.due_at, due_at = now() + random() * interval '15 minutes'
  FROM routes r WHERE r.id = l.route_id AND r.status = 'running' AND r.version_live IS NOT NULL;
