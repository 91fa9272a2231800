-- Secrets of plugins' configurations (docs/adr/0014), which have handles in their place. A handle stands for one secret of one
-- account for good: rows are only added.
CREATE TABLE plugin_secrets (
  account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
  handle text NOT NULL,
  -- By a key derived from CORDON_SECRET_KEY, for this account and handle.
  sealed bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, handle)
);
