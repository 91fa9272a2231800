-- Why a request passed by the cache, or why its answer was not stored.
ALTER TABLE requests ADD COLUMN IF NOT EXISTS cache_reason LowCardinality(String) DEFAULT '';
