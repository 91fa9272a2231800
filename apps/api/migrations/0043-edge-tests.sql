-- Test attacks that a node is asked to run, for as long as their answer is waited for: whoever asks may be connected to another
-- API than the node.
CREATE TABLE edge_tests (
  id uuid PRIMARY KEY,
  node_id uuid NOT NULL REFERENCES edge_nodes (id) ON DELETE CASCADE,
  test jsonb NOT NULL,
  sent_at timestamptz,
  results jsonb,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX edge_tests_unsent ON edge_tests (node_id) WHERE sent_at IS NULL;
