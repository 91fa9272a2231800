-- Which settings the draft changes of what is live, and each version changed of the one before it, by name: counted alone, a
-- history does not say what a version was about. Null where only the count is known.
ALTER TABLE routes ADD COLUMN pending_settings text[];
ALTER TABLE route_versions ADD COLUMN changed text[];
