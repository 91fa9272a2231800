-- Null: the person has chosen no language, and the console speaks the browser's.
ALTER TABLE users ALTER COLUMN locale DROP NOT NULL, ALTER COLUMN locale DROP DEFAULT;
