-- What the embedded OpenID provider remembers: sessions, interactions, grants, codes, refresh tokens. Identifiers are
-- bearer secrets, so only their SHA-256 is kept; the payload, which repeats them, is sealed with CORDON_SECRET_KEY.
CREATE TABLE oidc_state (
  model text NOT NULL,
  id_hash bytea NOT NULL,
  payload bytea NOT NULL,
  grant_id text,
  session_uid text,
  subject text,
  consumed_at timestamptz,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (model, id_hash)
);
CREATE INDEX oidc_state_grant ON oidc_state (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX oidc_state_session ON oidc_state (session_uid) WHERE session_uid IS NOT NULL;
CREATE INDEX oidc_state_subject ON oidc_state (subject) WHERE subject IS NOT NULL;
CREATE INDEX oidc_state_expiry ON oidc_state (expires_at);

-- Attempts to sign in or register, by account and by address. Keys are HMACs: people type passwords into the wrong field.
CREATE TABLE sign_in_attempts (
  key bytea PRIMARY KEY,
  attempts int NOT NULL,
  ends_at timestamptz NOT NULL
);
CREATE INDEX sign_in_attempts_end ON sign_in_attempts (ends_at);

-- Addresses that an account was signed in from: they keep attempts of their own, so that those from other addresses do
-- not lock out the owner.
CREATE TABLE sign_in_addresses (
  key bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sign_in_addresses_expiry ON sign_in_addresses (expires_at);
