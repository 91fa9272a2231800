-- How many URLs of a list could be asked for no longer when it was fetched after a deploy.
ALTER TABLE prefetches ADD COLUMN left_out integer NOT NULL DEFAULT 0;
