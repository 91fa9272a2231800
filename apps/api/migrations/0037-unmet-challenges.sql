-- Domains that challenged visitors in the last minutes without one that passed, measured again and again.
CREATE TABLE route_unmet_challenges (
  route_id uuid PRIMARY KEY REFERENCES routes ON DELETE CASCADE,
  account_id uuid NOT NULL,
  challenged int NOT NULL,
  since timestamptz NOT NULL DEFAULT now(),
  measured_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX route_unmet_challenges_account ON route_unmet_challenges (account_id);
CREATE OR REPLACE FUNCTION plan_route_look() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = 'deleted' THEN
    DELETE FROM route_looks WHERE route_id = NEW.id;
    DELETE FROM route_errors WHERE route_id = NEW.id;
    DELETE FROM route_unmet_challenges WHERE route_id = NEW.id;
  ELSIF NEW.status = 'running' AND NEW.version_live IS NOT NULL THEN
    INSERT INTO route_looks (route_id, account_id, due_at) VALUES (NEW.id, NEW.account_id, now())
    ON CONFLICT (route_id) DO UPDATE SET account_id = excluded.account_id, due_at = excluded.due_at, name_due_at = NULL;
  ELSE
    UPDATE route_looks SET account_id = NEW.account_id, due_at = NULL WHERE route_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
