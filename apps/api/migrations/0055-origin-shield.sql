-- Nodes of a czone that its other nodes fetch through.
CREATE TABLE czone_shields (
  czone text NOT NULL REFERENCES czones,
  node_id uuid NOT NULL REFERENCES edge_nodes (id) ON DELETE CASCADE,
  PRIMARY KEY (czone, node_id)
);
CREATE INDEX czone_shields_node ON czone_shields (node_id);
