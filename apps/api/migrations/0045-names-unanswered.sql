-- NULL: DNS did not answer, which is not the same as a name without a record.
ALTER TABLE routes ALTER COLUMN ownership_seen DROP NOT NULL;
ALTER TABLE names ALTER COLUMN ownership_seen DROP NOT NULL;
