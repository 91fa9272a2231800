-- Since when nothing holds a secret's handle (docs/adr/0014). It goes some time after, so that rows are no longer only added.
ALTER TABLE plugin_secrets ADD COLUMN unused_since timestamptz;
