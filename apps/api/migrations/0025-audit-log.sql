-- Where an action came from, and what was there before it. Lines of before have neither.
ALTER TABLE audit_log
  ADD COLUMN address text,
  ADD COLUMN user_agent text,
  ADD COLUMN changes jsonb NOT NULL DEFAULT '[]';
-- A batch acts for the request that began it.
ALTER TABLE batches
  ADD COLUMN created_from text,
  ADD COLUMN created_with text;

-- Each filter has an index in the list's order: a page and its bounded count read no more than they show.
CREATE INDEX audit_log_by_time ON audit_log (account_id, at DESC, id DESC);
CREATE INDEX audit_log_by_action ON audit_log (account_id, action, at DESC, id DESC);
CREATE INDEX audit_log_by_kind ON audit_log (account_id, actor_kind, at DESC, id DESC);
DROP INDEX audit_log_account;

-- What a search looks at: who, the object's name, why, from where.
CREATE FUNCTION audit_text(actor text, details jsonb, reason text, address text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT lower(actor || ' ' || coalesce(details->>'domain_name', '') || ' ' || coalesce(details->>'name', '')
    || ' ' || coalesce(reason, '') || ' ' || coalesce(address, '')) $$;
-- Each search reads what waits to be sorted into the index: little of it.
CREATE INDEX audit_log_search ON audit_log USING gin (account_id, audit_text(actor, details, reason, address) gin_trgm_ops)
  WITH (gin_pending_list_limit = 256);
ANALYZE audit_log;
