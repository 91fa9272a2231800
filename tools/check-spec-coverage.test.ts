import { describe, expect, it } from 'vitest';
import { coverageFaults } from './check-spec-coverage.ts';

const page = (shownBy: string) => `| line | shown by |\n| --- | --- |\n| something | ${shownBy} |\n`;

describe('coverageFaults', () => {
  it('takes a test that exists, and later', () => {
    expect(coverageFaults(page('`contract/a.test.ts`'), (path) => path === 'packages/contract/src/a.test.ts')).toEqual(
      [],
    );
    expect(coverageFaults(page('later'), () => false)).toEqual([]);
  });
  it('names a test that is gone', () =>
    expect(coverageFaults(page('`tests/e2e/a.test.ts`'), () => false)).toEqual([
      'line 3: tests/e2e/a.test.ts does not exist',
    ]));
  it('names a row that says nothing', () =>
    expect(coverageFaults(page('soon'), () => true)).toEqual(['line 3: neither a test nor "later"']));
});
