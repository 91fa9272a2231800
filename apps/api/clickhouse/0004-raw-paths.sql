-- The path as it was sent, where origins may read another one in it than `path`.
ALTER TABLE requests ADD COLUMN IF NOT EXISTS raw_path String DEFAULT '';
