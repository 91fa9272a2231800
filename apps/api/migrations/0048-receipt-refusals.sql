-- Why a node cannot load a version.
ALTER TABLE deploy_receipts ADD COLUMN refusal text;
