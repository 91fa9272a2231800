-- All bans that a search found, lifted by one call, come back by one. Null: lifted one by one.
ALTER TABLE lifted_bans ADD COLUMN lift_id uuid;
CREATE INDEX lifted_bans_lift ON lifted_bans (lift_id, id) WHERE lift_id IS NOT NULL;
