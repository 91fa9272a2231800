-- One row per request. The roll-ups are projections: they live inside the part that holds their rows and appear, and
-- disappear, with it in one rename. That is what keeps them exact when something is killed in the middle
-- (docs/adr/0010-exactly-once-access-log.md). ClickHouse picks the smallest projection that can answer a query.
CREATE TABLE IF NOT EXISTS requests
(
    -- When the request ended.
    time DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    -- Columns, and not expressions, because ClickHouse then plans a dashboard in a third of the time.
    minute DateTime('UTC') MATERIALIZED toStartOfMinute(time) CODEC(Delta, ZSTD(1)),
    quarter_hour DateTime('UTC') MATERIALIZED toStartOfFifteenMinutes(time) CODEC(Delta, ZSTD(1)),
    -- Zero in both where no domain was found: those rows are the operator's.
    account_id UUID CODEC(ZSTD(1)),
    route_id UUID CODEC(ZSTD(1)),
    node_id UUID CODEC(ZSTD(1)),
    batch String CODEC(ZSTD(1)),
    request_id String CODEC(ZSTD(1)),
    host String CODEC(ZSTD(1)),
    method LowCardinality(String),
    path String CODEC(ZSTD(1)),
    query String CODEC(ZSTD(1)),
    scheme LowCardinality(String),
    protocol LowCardinality(String),
    status UInt16,
    bytes_sent UInt64 CODEC(T64, ZSTD(1)),
    bytes_received UInt64 CODEC(T64, ZSTD(1)),
    duration_ms Float64 CODEC(ZSTD(1)),
    client_address String CODEC(ZSTD(1)),
    country LowCardinality(String),
    user_agent String CODEC(ZSTD(1)),
    referer String CODEC(ZSTD(1)),
    upstream_address LowCardinality(String),
    upstream_status UInt16,
    upstream_ms Float64 CODEC(ZSTD(1)),
    cache LowCardinality(String),
    plugin LowCardinality(String),
    action LowCardinality(String),
    reason LowCardinality(String),
    rule String CODEC(ZSTD(1)),
    version UInt32,

    INDEX request_id request_id TYPE bloom_filter(0.01) GRANULARITY 1,

    -- Whether a batch is stored, told by the very part that holds it.
    PROJECTION batches
    (
        SELECT node_id, batch, toDate(quarter_hour), count()
        GROUP BY node_id, batch, toDate(quarter_hour)
    ),
    -- Coarse ones first: where two promise the same work ClickHouse takes the first.
    PROJECTION account_by_quarter_hour
    (
        SELECT
            account_id, quarter_hour, plugin, reason,
            count(), sum(bytes_sent), countIf(action = 'block'),
            countIf(status >= 200 AND status < 300), countIf(status >= 300 AND status < 400),
            countIf(status >= 400 AND status < 500), countIf(status >= 500)
        GROUP BY account_id, quarter_hour, plugin, reason
    ),
    PROJECTION route_by_quarter_hour
    (
        SELECT
            account_id, route_id, quarter_hour, plugin, reason,
            count(), sum(bytes_sent), countIf(action = 'block'),
            countIf(status >= 200 AND status < 300), countIf(status >= 300 AND status < 400),
            countIf(status >= 400 AND status < 500), countIf(status >= 500)
        GROUP BY account_id, route_id, quarter_hour, plugin, reason
    ),
    PROJECTION account_country_by_quarter_hour
    (
        SELECT account_id, quarter_hour, country, count(), countIf(action = 'block')
        GROUP BY account_id, quarter_hour, country
    ),
    PROJECTION route_country_by_quarter_hour
    (
        SELECT account_id, route_id, quarter_hour, country, count(), countIf(action = 'block')
        GROUP BY account_id, route_id, quarter_hour, country
    ),
    PROJECTION account_route_by_minute
    (
        SELECT
            account_id, quarter_hour, minute, route_id, plugin, reason,
            count(), sum(bytes_sent), countIf(action = 'block'),
            countIf(status >= 200 AND status < 300), countIf(status >= 300 AND status < 400),
            countIf(status >= 400 AND status < 500), countIf(status >= 500)
        GROUP BY account_id, quarter_hour, minute, route_id, plugin, reason
    )
)
ENGINE = MergeTree
PARTITION BY toDate(quarter_hour)
ORDER BY (account_id, route_id, time)
TTL quarter_hour + toIntervalDay(30)
SETTINGS
    ttl_only_drop_parts = 1,
    -- A shorter retention then takes hold of what is there without rewriting it.
    materialize_ttl_recalculate_only = 1,
    -- Only the race of two inserts of one batch that run at once is left to the token; see the ADR.
    non_replicated_deduplication_window = 1000,
    fsync_after_insert = 1,
    fsync_part_directory = 1;
