-- Rules: plugins that are applied to many domains of a subscription.
CREATE TABLE rules (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts,
  subscription_id uuid NOT NULL REFERENCES subscriptions,
  name text NOT NULL CHECK (length(name) <= 100),
  description text NOT NULL DEFAULT '' CHECK (length(description) <= 1000),
  plugins jsonb NOT NULL,
  revision int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  updated_by text,
  search text GENERATED ALWAYS AS (lower(name || ' ' || description)) STORED
);
CREATE INDEX rules_account ON rules (account_id, lower(name), id);
CREATE UNIQUE INDEX rules_name ON rules (subscription_id, lower(name));

-- What a revision set, so that a domain's own changes since can be told from the template's.
CREATE TABLE rule_revisions (
  rule_id uuid NOT NULL REFERENCES rules ON DELETE CASCADE,
  revision int NOT NULL,
  plugins jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (rule_id, revision)
);

-- The revision that a domain got last.
CREATE TABLE rule_applications (
  rule_id uuid NOT NULL,
  route_id uuid NOT NULL REFERENCES routes,
  account_id uuid NOT NULL REFERENCES accounts,
  revision int NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now(),
  applied_by text,
  PRIMARY KEY (rule_id, route_id),
  FOREIGN KEY (rule_id, revision) REFERENCES rule_revisions ON DELETE CASCADE
);
CREATE INDEX rule_applications_route ON rule_applications (route_id);
