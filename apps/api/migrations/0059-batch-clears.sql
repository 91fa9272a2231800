-- What a batch clears, as it is shown, and the time that it was scheduled for: batches of scheduled tasks are listed as their results.
ALTER TABLE batches
  ADD COLUMN clear jsonb,
  ADD COLUMN scheduled_for timestamptz;
CREATE INDEX batches_scheduled ON batches (account_id, finished_at DESC) WHERE scheduled_for IS NOT NULL;
