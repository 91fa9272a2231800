-- Who made a version, what it was deployed with, and whether it brought an earlier one back.
ALTER TABLE route_versions
  ADD COLUMN created_by_kind text NOT NULL DEFAULT 'user' CHECK (created_by_kind IN ('user', 'token', 'operator', 'system')),
  ADD COLUMN rolled_back_to int,
  ADD COLUMN certificate_id uuid;

-- What is known of earlier ones is the label: an e-mail address is a user's.
UPDATE route_versions SET created_by_kind = CASE
    WHEN created_by IS NULL THEN 'system'
    WHEN created_by LIKE 'operator (%' THEN 'operator'
    ELSE 'token'
  END
  WHERE created_by IS NULL OR created_by NOT LIKE '%@%';
