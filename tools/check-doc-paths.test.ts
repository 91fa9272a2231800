import { expect, it } from 'vitest';
import { expandBraces, missingPaths } from './check-doc-paths.ts';

it('finds the paths that a page names and that are not there', () => {
  const page = [
    '| change a | `apps/a/{one,two}.ts`; what says it, `three.ts` beside it, `docs/adr` |',
    '| change b | `packages/plugins/<name>/schema.ts`, `tests/*.ts`, `npm run check` |',
  ].join('\n');
  expect(missingPaths(page, (path) => ['apps/a/one.ts', 'docs/adr'].includes(path))).toEqual(['apps/a/two.ts']);
});

it('takes choices within choices apart', () => {
  expect(expandBraces('a/{b-{c,d},e}.ts').sort()).toEqual(['a/b-c.ts', 'a/b-d.ts', 'a/e.ts']);
});
