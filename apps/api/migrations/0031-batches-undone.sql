-- A batch is undone once.
ALTER TABLE batches ADD COLUMN undone_at timestamptz;
