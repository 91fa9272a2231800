import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { circlesOf, folderImports, modulesInOrder, nestedFolders, orderFaults, tableFaults } from './check-folders.ts';

const circles = (files: Record<string, string>) =>
  circlesOf(folderImports(new Map(Object.entries(files)))).map((circle) => circle.map(({ from }) => from));

describe('folders', () => {
  it('that import each other are found, types included, also by way of a third', () => {
    expect(
      circles({
        'a/one.ts': "import { b } from '../b/two.ts';\n",
        'b/two.ts': "import type { C } from '../c/three.ts';\n",
        'c/three.ts': "export { a } from '../a/other.ts';\n",
      }),
    ).toEqual([['a', 'b', 'c']]);
  });

  it('that import one way only are fine, and so are files beside them', () => {
    expect(
      circles({
        'index.ts': "export * from './a/one.ts';\n",
        'a/one.ts': "import { b } from '../b/two.ts';\nimport { base } from '../base.ts';\n",
        'a/more.ts': "import { one } from './one.ts';\n",
        'b/two.ts': "import { base } from '../base.ts';\n",
      }),
    ).toEqual([]);
  });

  it('are found, too, when one lies in the other: what stands on its folders is no base of theirs', () => {
    const files = new Map([
      ['src/api.ts', "import { a } from './a/one.ts';\n"],
      ['src/a/one.ts', "import { base } from '../base.ts';\n"],
      ['src/b/two.ts', "import { base } from '../base.ts';\n"],
      ['src/base.ts', ''],
    ]);
    expect(circlesOf(folderImports(files, dirname))).toEqual([
      [
        { from: 'src', to: 'src/a', file: 'src/api.ts' },
        { from: 'src/a', to: 'src', file: 'src/a/one.ts' },
      ],
    ]);
  });

  it('are looked into however deep they lie, where there are folders in them', () => {
    const files = new Map([
      ['apps/one/src/a/x.ts', '1'],
      ['apps/one/src/b/inner/y.ts', '2'],
      ['apps/one/src/top.ts', '3'],
    ]);
    const found = nestedFolders(files);
    expect([...found.keys()]).toEqual(['apps', 'apps/one', 'apps/one/src', 'apps/one/src/b']);
    expect([...(found.get('apps/one/src') ?? [])]).toEqual([
      ['a/x.ts', '1'],
      ['b/inner/y.ts', '2'],
      ['top.ts', '3'],
    ]);
  });
});

describe('modules of the API', () => {
  const page = [
    ...['## Map', '| folder |', '| `apps/api` | x |', '### Modules of the API', 'One `word`.', ''],
    ...[
      '| module | what it is |',
      '| --- | --- |',
      '| `nodes` | what `others` are sent |',
      '| `plans` · `people` | x |',
    ],
    ...['', '## More', '| to | edit |', '| `later` | x |'],
  ].join('\n');

  it('are ordered by the table of docs/architecture.md, from left to right in a row', () => {
    expect(modulesInOrder(page)).toEqual(['nodes', 'plans', 'people']);
  });

  it('import what stands above them, and are told what does not, and what is not in the table', () => {
    const modules = new Map([
      ['nodes/service.ts', "import type { Plan } from '../plans/service.ts';\n"],
      [
        'plans/service.ts',
        "import { nodes } from '../nodes/service.ts';\nimport { db } from '../../platform/db.ts';\n",
      ],
      ['tickets/service.ts', "import { nodes } from '../nodes/service.ts';\n"],
    ]);
    expect(orderFaults(modules, modulesInOrder(page))).toEqual([
      'tickets is not in the table',
      'people is in the table, but not there',
      'nodes → plans (nodes/service.ts), which stands below it',
    ]);
  });

  it('write tables of their own only, and rows of routes together', () => {
    const modules = new Map([
      ['people/tables.ts', '  interface Database {\n    users: {\n      id: string;\n    };\n  }\n'],
      ['domains/tables.ts', '  interface Database {\n    routes: { id: string };\n  }\n'],
      ['people/repository.ts', "db.insertInto('users'); sql`UPDATE routes SET id = 1`;"],
      ['domains/repository.ts', "db.updateTable('users'); sql`DELETE FROM users`; db.selectFrom('users');"],
    ]);
    const plugins = new Map([
      ['packages/plugins/ban/repository.ts', 'sql`INSERT INTO bans; SELECT FROM routes; UPDATE routes SET`'],
    ]);
    expect(tableFaults(modules, plugins)).toEqual([
      'domains/repository.ts writes users, which belongs to people',
      'domains/repository.ts writes users, which belongs to people',
      'packages/plugins/ban/repository.ts writes routes, which belongs to domains',
    ]);
  });
});
