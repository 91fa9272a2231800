-- Whether the request is one of a test attack, which no visitor sent.
ALTER TABLE requests ADD COLUMN IF NOT EXISTS is_test Bool DEFAULT false;
