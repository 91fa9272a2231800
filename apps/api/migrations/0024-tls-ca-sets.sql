-- Which sets of CA certificates the live domains of a subscription verify origins by: few domains have any.
CREATE INDEX routes_live_tls_ca ON routes (subscription_id) WHERE live #>> '{upstreams,tls_verification}' = 'custom';
