-- Set by the transaction that did what the request asks for: should its process die before the answer is kept, it is not done again.
ALTER TABLE idempotency_keys ADD COLUMN carried_out boolean NOT NULL DEFAULT false;
