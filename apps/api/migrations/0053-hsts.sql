-- What browsers are told of HTTPS (HSTS); beside `force_https`, and live at once as that is.
ALTER TABLE routes ADD COLUMN hsts jsonb;
