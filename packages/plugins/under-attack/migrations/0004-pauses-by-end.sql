-- Each end of a mode has a pause of its own for a domain: what is taken back leaves the other one.
UPDATE attack_pauses SET ended_scope = route_id WHERE ended_scope IS NULL;
ALTER TABLE attack_pauses DROP CONSTRAINT attack_pauses_pkey, ADD PRIMARY KEY (route_id, ended_scope);
