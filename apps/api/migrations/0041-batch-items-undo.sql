-- What an undo needs to know of a domain: as it was, and as the batch left it.
ALTER TABLE batch_items ADD COLUMN undo jsonb;
