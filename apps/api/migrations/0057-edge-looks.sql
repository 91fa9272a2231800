-- URLs of which nodes are asked what they have stored, for as long as their answers are waited for: whoever asks may be connected to
-- another API than the nodes.
CREATE TABLE edge_looks (
  id uuid NOT NULL,
  node_id uuid NOT NULL REFERENCES edge_nodes (id) ON DELETE CASCADE,
  look jsonb NOT NULL,
  sent_at timestamptz,
  result jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (id, node_id)
);
CREATE INDEX edge_looks_unsent ON edge_looks (node_id) WHERE sent_at IS NULL;
CREATE INDEX edge_looks_age ON edge_looks (created_at);
