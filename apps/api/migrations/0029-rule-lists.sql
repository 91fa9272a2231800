-- Whether a rule's lists replace those of a domain or are added to them; of a revision, so that drift is judged by what
-- was applied.
ALTER TABLE rules ADD COLUMN lists text NOT NULL DEFAULT 'replace' CHECK (lists IN ('replace', 'merge'));
ALTER TABLE rule_revisions ADD COLUMN lists text NOT NULL DEFAULT 'replace' CHECK (lists IN ('replace', 'merge'));
