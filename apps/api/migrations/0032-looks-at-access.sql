-- Whether visitors are let in is judged from what is stored: of every domain that is served, also of one whose name is not
-- proved or that is of the demo. Names and certificates are looked at as before (`look-service.ts`).
CREATE OR REPLACE FUNCTION plan_route_look() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = 'deleted' THEN
    DELETE FROM route_looks WHERE route_id = NEW.id;
    DELETE FROM route_errors WHERE route_id = NEW.id;
  ELSIF NEW.status = 'running' AND NEW.version_live IS NOT NULL THEN
    INSERT INTO route_looks (route_id, account_id, due_at) VALUES (NEW.id, NEW.account_id, now())
    ON CONFLICT (route_id) DO UPDATE SET account_id = excluded.account_id, due_at = excluded.due_at;
  ELSE
    UPDATE route_looks SET account_id = NEW.account_id, due_at = NULL WHERE route_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
-- Spread over an hour, as the others are.
INSERT INTO route_looks (route_id, account_id, due_at)
  SELECT id, account_id, now() + random() * interval '1 hour' FROM routes
  WHERE status = 'running' AND version_live IS NOT NULL AND (ownership_state <> 'verified' OR ownership_method = 'demo')
ON CONFLICT (route_id) DO UPDATE SET due_at = excluded.due_at WHERE route_looks.due_at IS NULL;
