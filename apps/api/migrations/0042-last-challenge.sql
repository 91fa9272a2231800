-- The minute of the last challenge that was shown: none is left where the mode that showed them has ended since.
ALTER TABLE route_unmet_challenges ADD COLUMN challenged_at timestamptz NOT NULL DEFAULT now();
