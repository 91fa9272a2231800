-- The roll-ups of figures once more, with the challenges that were shown and those that were met. New ones beside the old,
-- under names of their own: a part holds a roll-up as it was defined when the part was written. What is stored already gets
-- them in the background; until a part has them, a reading takes its rows, which is slower and just as exact. The order is that of 0001-requests.sql.
ALTER TABLE requests
    ADD PROJECTION IF NOT EXISTS account_figures_by_quarter_hour
    (
        SELECT
            account_id, quarter_hour, plugin, reason,
            count(), sum(bytes_sent), countIf(action = 'block'), countIf(action = 'challenge'),
            countIf(plugin = '' AND reason = 'challenge_met'),
            countIf(status >= 200 AND status < 300), countIf(status >= 300 AND status < 400),
            countIf(status >= 400 AND status < 500), countIf(status >= 500)
        GROUP BY account_id, quarter_hour, plugin, reason
    ) AFTER batches,
    ADD PROJECTION IF NOT EXISTS route_figures_by_quarter_hour
    (
        SELECT
            account_id, route_id, quarter_hour, plugin, reason,
            count(), sum(bytes_sent), countIf(action = 'block'), countIf(action = 'challenge'),
            countIf(plugin = '' AND reason = 'challenge_met'),
            countIf(status >= 200 AND status < 300), countIf(status >= 300 AND status < 400),
            countIf(status >= 400 AND status < 500), countIf(status >= 500)
        GROUP BY account_id, route_id, quarter_hour, plugin, reason
    ) AFTER account_figures_by_quarter_hour,
    ADD PROJECTION IF NOT EXISTS account_route_figures_by_minute
    (
        SELECT
            account_id, quarter_hour, minute, route_id, plugin, reason,
            count(), sum(bytes_sent), countIf(action = 'block'), countIf(action = 'challenge'),
            countIf(plugin = '' AND reason = 'challenge_met'),
            countIf(status >= 200 AND status < 300), countIf(status >= 300 AND status < 400),
            countIf(status >= 400 AND status < 500), countIf(status >= 500)
        GROUP BY account_id, quarter_hour, minute, route_id, plugin, reason
    );
ALTER TABLE requests
    MATERIALIZE PROJECTION IF EXISTS account_figures_by_quarter_hour,
    MATERIALIZE PROJECTION IF EXISTS route_figures_by_quarter_hour,
    MATERIALIZE PROJECTION IF EXISTS account_route_figures_by_minute;
-- All that they hold is in the new ones; each of them is paid for with every insert.
ALTER TABLE requests
    DROP PROJECTION IF EXISTS account_by_quarter_hour,
    DROP PROJECTION IF EXISTS route_by_quarter_hour,
    DROP PROJECTION IF EXISTS account_route_by_minute;
