-- Reports of nodes are compared with what was lifted since.
CREATE INDEX lifted_bans_networks ON lifted_bans (account_id, network);
