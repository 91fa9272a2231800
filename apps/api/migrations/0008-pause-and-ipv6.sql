-- While paused a route's traffic passes to the origin without any protection. No end: until it is resumed by hand.
ALTER TABLE routes
  ADD COLUMN paused_at timestamptz,
  ADD COLUMN paused_until timestamptz,
  ADD COLUMN paused_by text;

-- Whether the subscription's names answer AAAA. Never off again, so that no visitor is left with a dead address.
ALTER TABLE subscriptions ADD COLUMN ipv6 boolean NOT NULL DEFAULT false;
CREATE FUNCTION keep_ipv6() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'ipv6 of subscription % cannot be disabled', OLD.id USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER subscriptions_keep_ipv6 BEFORE UPDATE OF ipv6 ON subscriptions
  FOR EACH ROW WHEN (OLD.ipv6 AND NOT NEW.ipv6) EXECUTE FUNCTION keep_ipv6();
-- A route shows what its subscription has.
ALTER TABLE routes DROP COLUMN ipv6;
