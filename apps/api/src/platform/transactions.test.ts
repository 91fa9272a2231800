import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../../..');

const filesOf = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => /\.ts$/.test(file) && !/\.test\.ts$|testing\/|node_modules\/|\/dist\//.test(file));
const sources = [...filesOf('apps/api/src'), ...filesOf('packages/plugins')];
const holding = (pattern: RegExp) => sources.filter((file) => pattern.test(readFileSync(join(ROOT, file), 'utf8')));

/** A transaction that is started otherwise, as by `db.transaction().execute(…)`, is not run again after a deadlock. */
it('every transaction goes through runInTransaction, which runs the victim of a deadlock again', () => {
  expect(holding(/\.(transaction|startTransaction)\(\)/)).toEqual(['apps/api/src/platform/database.ts']);
});

/** The check of imports does not see it: for a query built from a `Db` that is passed in, its type is enough. */
it('only repositories and the platform build queries', () => {
  const building = holding(/\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(|\bsql(<[^`]*>)?`/);
  expect(building.filter((file) => !/(^|[/-])repository\.ts$|\/src\/platform\//.test(file))).toEqual([]);
});
