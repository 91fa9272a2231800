-- When and from where an API token was used last; written once a minute at most.
ALTER TABLE api_tokens ADD COLUMN last_used_at timestamptz, ADD COLUMN last_used_from text;
CREATE INDEX api_tokens_user ON api_tokens (user_id, created_at DESC);
CREATE INDEX api_tokens_end ON api_tokens (expires_at);
