-- What became of requests in the cache, by the minute: for the figures of a domain's cache, and to know how far back the newest
-- requests to origins go. One for all ranges: a domain has at most seven rows a minute in it. What is stored already gets it in the
-- background; until a part has it, a reading takes its rows, which is slower and just as exact.
ALTER TABLE requests
    ADD PROJECTION IF NOT EXISTS route_cache_by_minute
    (
        SELECT
            account_id, route_id, quarter_hour, minute, cache,
            count(), sum(bytes_sent), countIf(upstream_address != ''), sumIf(bytes_sent, upstream_address != '')
        GROUP BY account_id, route_id, quarter_hour, minute, cache
    );
ALTER TABLE requests
    MATERIALIZE PROJECTION IF EXISTS route_cache_by_minute;
