-- The batch that this one undoes: where nothing of it was, that can be undone again.
ALTER TABLE batches ADD COLUMN undoes uuid;
-- Turns in a row that ended in a fault of ours.
ALTER TABLE batches ADD COLUMN faults int NOT NULL DEFAULT 0;
