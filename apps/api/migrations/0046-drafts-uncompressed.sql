-- A long list is saved with each change of a draft: to compress it takes longer than all else in that statement. Drafts
-- are read one at a time, and what is large stands apart from the row, so that lists of domains read no more.
ALTER TABLE routes ALTER COLUMN draft SET STORAGE EXTERNAL;
ALTER TABLE route_drafts ALTER COLUMN config SET STORAGE EXTERNAL;
