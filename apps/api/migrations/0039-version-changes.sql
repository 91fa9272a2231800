-- How many settings each version changed of the one before it. NULL: the first one, or made before this was counted.
ALTER TABLE route_versions ADD COLUMN changes int;
