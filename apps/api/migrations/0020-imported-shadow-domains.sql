-- The column of import files is called as its names are everywhere else. Rows that wait, and what failed before.
UPDATE batch_items i SET input = (i.input - 'aliases') || jsonb_build_object('shadow_domains', i.input -> 'aliases')
  FROM batches b WHERE b.id = i.batch_id AND b.kind = 'import' AND i.input ? 'aliases';
-- A key is followed by a colon; a name such as aliases.7 among the values is not.
UPDATE batch_items i SET error = regexp_replace(i.error::text, '"aliases(\.\d+)?":', '"shadow_domains\1":', 'g')::jsonb
  FROM batches b WHERE b.id = i.batch_id AND b.kind = 'import' AND i.error::text ~ '"aliases(\.\d+)?":';
