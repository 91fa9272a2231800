-- Compressing a list of 10,000 addresses took 10 ms of each write of it, and a save writes it several times. Sealed answers
-- cannot be compressed at all. Only the way new values are stored changes.
ALTER TABLE routes ALTER COLUMN draft SET STORAGE EXTERNAL;
ALTER TABLE route_drafts ALTER COLUMN config SET STORAGE EXTERNAL;
ALTER TABLE rules ALTER COLUMN plugins SET STORAGE EXTERNAL;
ALTER TABLE rule_revisions ALTER COLUMN plugins SET STORAGE EXTERNAL;
ALTER TABLE idempotency_keys ALTER COLUMN response SET STORAGE EXTERNAL;
