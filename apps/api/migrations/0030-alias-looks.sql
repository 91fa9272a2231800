-- A domain is looked at anew when its aliases change. Once per statement: an import adds names by the hundred.
CREATE FUNCTION plan_alias_look() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE route_looks SET due_at = now()
  WHERE due_at > now() AND route_id IN (SELECT route_id FROM changed WHERE kind = 'shadow');
  RETURN NULL;
END $$;
CREATE TRIGGER names_look_planned_by_insert AFTER INSERT ON names
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION plan_alias_look();
CREATE TRIGGER names_look_planned_by_delete AFTER DELETE ON names
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION plan_alias_look();
