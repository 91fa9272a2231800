import { describe, expect, it } from 'vitest';
import { coverageFaults, titlesOf } from './check-spec-coverage.ts';

const page = (shownBy: string) => `| line | shown by |\n| --- | --- |\n| something | ${shownBy} |\n`;
const files = ['packages/contract/src/a.test.ts', 'apps/api/src/b.test.ts', 'apps/edge/src/b.test.ts'];
const source = { path: 'a.test.ts', text: `describe('names', () => { it("are shown", () => {}); })` };
const faultsOf = (shownBy: string) => coverageFaults(page(shownBy), files, () => titlesOf(source));

describe('coverageFaults', () => {
  it('takes a test that exists, and later', () => {
    expect(faultsOf('`a.test.ts › are shown`')).toEqual([]);
    expect(faultsOf('`a.test.ts › are shown`; `api/src/b.test.ts › are shown`')).toEqual([]);
    expect(faultsOf('later')).toEqual([]);
  });
  it('names a test that is gone', () => {
    expect(faultsOf('`e2e/a.test.ts › are shown`')).toEqual(['line 3: e2e/a.test.ts does not exist']);
    expect(faultsOf('`a.test.ts › are gone`')).toEqual(['line 3: a.test.ts has no test "are gone"']);
    expect(faultsOf('`a.test.ts › words › are shown`')).toEqual(['line 3: a.test.ts has no test "words"']);
  });
  it('names a group of tests, which may lose the one that is meant', () =>
    expect(faultsOf('`a.test.ts › names`')).toEqual(['line 3: a.test.ts has no test "names"']));
  it('names a file without a title, and a name that two files have', () => {
    expect(faultsOf('`a.test.ts`')).toEqual(['line 3: a.test.ts is named without a title']);
    expect(faultsOf('`b.test.ts › are shown`')).toEqual([
      'line 3: b.test.ts may be apps/api/src/b.test.ts or apps/edge/src/b.test.ts',
    ]);
  });
  it('names a row that says nothing', () => expect(faultsOf('soon')).toEqual(['line 3: neither a test nor "later"']));
});

describe('titles', () => {
  const isNamed = (text: string, title: string, imported: string[] = []) => {
    const rows = imported.map((each, index) => ({ path: `${index}.ts`, text: each }));
    const titles = titlesOf({ path: 'a.test.ts', text }, rows);
    return coverageFaults(page(`\`a.test.ts › ${title}\``), files, () => titles).length === 0;
  };
  it('of rows are their template, or the template filled in', () => {
    const rows = `describe.concurrent.each([1])('in %s', () => { it.each([[1]])('%j is refused as %s', () => {}); });`;
    expect(isNamed(rows, '%j is refused as %s')).toBe(true);
    expect(isNamed(rows, '"a" is refused as BAD')).toBe(true);
    expect(isNamed(rows, '"a" is taken as BAD')).toBe(false);
    expect(isNamed(rows, 'in en')).toBe(false);
  });
  it('that are nothing but a row’s text are looked for among the texts', () => {
    const rows = `it.each(screens)('$name', () => {});`;
    expect(isNamed(rows, 'sign-in')).toBe(false);
    expect(isNamed(rows, 'sign-in', [`export const screens = [{ name: 'sign-in' }];`])).toBe(true);
    expect(isNamed(`testPluginCases({ cases });`, 'a case', [`export const cases = [{ name: 'a case' }];`])).toBe(true);
    expect(isNamed(`it('x', () => {});`, 'a case', [`export const cases = [{ name: 'a case' }];`])).toBe(false);
  });
  it('may be templates with values', () =>
    expect(isNamed(`it(\`takes \${COUNT} names\`, () => {});`, 'takes 1000 names')).toBe(true));
});
