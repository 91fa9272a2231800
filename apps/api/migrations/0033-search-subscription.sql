-- A search for a subscription's CNAME reads its domains, however many others the account has.
CREATE INDEX route_texts_by_subscription ON route_texts (subscription_id);
