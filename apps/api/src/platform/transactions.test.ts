import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SOURCES = join(import.meta.dirname, '..');

/** A transaction that is started otherwise, as by `db.transaction().execute(…)`, is not run again after a deadlock. */
it('every transaction goes through runInTransaction, which runs the victim of a deadlock again', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.ts$/.test(file) && !/\.test\.ts$|testing\//.test(file),
  );
  const starting = files.filter((file) => /\.transaction\(\)/.test(readFileSync(join(SOURCES, file), 'utf8')));
  expect(starting).toEqual([join('platform', 'database.ts')]);
});
