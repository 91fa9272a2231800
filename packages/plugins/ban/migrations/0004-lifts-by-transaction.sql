-- Reports of nodes say how much of the feeds a node had heard of when it gave a ban: no clock of a node tells whether a lift
-- came before. Null: lifted by an earlier release.
ALTER TABLE lifted_bans ADD COLUMN lifted_txid bigint;
ALTER TABLE lifted_bans ALTER COLUMN lifted_txid SET DEFAULT pg_current_xact_id()::text::bigint;
