import { describe, expect, it } from 'vitest';
import { circlesOf, folderImports } from './check-folders.ts';

const circles = (files: Record<string, string>, depth = 1) =>
  circlesOf(folderImports(new Map(Object.entries(files)), depth)).map((circle) => circle.map(({ from }) => from));

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
});
