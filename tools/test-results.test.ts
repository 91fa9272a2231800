import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  budgetWarnings,
  type FileRun,
  failedFiles,
  mergeRuns,
  readBudgets,
  type SuiteRun,
  slowestFiles,
} from './test-results.mjs';

const file = (path: string, states: Record<string, 'passed' | 'failed' | 'skipped'>, hasFailed?: boolean): FileRun => ({
  path,
  seconds: 1,
  hasFailed: hasFailed ?? Object.values(states).includes('failed'),
  tests: Object.entries(states).map(([title, state]) => ({ title, state })),
});
const run = (...files: FileRun[]): SuiteRun => ({ files, unhandledErrors: 0, hasCrashed: false });

describe('mergeRuns', () => {
  it('counts one run', () => {
    const one = run(file('a', { x: 'passed', y: 'failed', z: 'skipped' }), file('b', { x: 'passed' }));
    expect(mergeRuns(one)).toEqual({ passed: 2, failed: ['a › y'], flaky: [] });
    expect(failedFiles(one)).toEqual(['a']);
  });
  it('counts a test that passes the second time as passed and names it', () =>
    expect(
      mergeRuns(
        run(file('a', { x: 'passed', y: 'failed' }), file('b', { x: 'passed' })),
        run(file('a', { x: 'passed', y: 'passed' })),
      ),
    ).toEqual({ passed: 3, failed: [], flaky: ['a › y'] }));
  it('counts a test that fails twice once', () =>
    expect(mergeRuns(run(file('a', { y: 'failed' })), run(file('a', { y: 'failed' })))).toEqual({
      passed: 0,
      failed: ['a › y'],
      flaky: [],
    }));
  it('names a test that fails only the second time', () =>
    expect(
      mergeRuns(run(file('a', { x: 'passed', y: 'failed' })), run(file('a', { x: 'failed', y: 'passed' }))),
    ).toEqual({ passed: 2, failed: [], flaky: ['a › x', 'a › y'] }));
  it('counts a file that fails outside of its tests as one', () => {
    const broken = run(file('a', {}, true), file('b', { x: 'skipped' }, true));
    const failed = ['a › loading or a hook', 'b › loading or a hook'];
    expect(mergeRuns(broken)).toEqual({ passed: 0, failed, flaky: [] });
    expect(mergeRuns(broken, broken)).toEqual({ passed: 0, failed, flaky: [] });
  });
  it('takes a file whose hook fails only once as passed and names it', () =>
    expect(mergeRuns(run(file('a', { x: 'skipped' }, true)), run(file('a', { x: 'passed' })))).toEqual({
      passed: 1,
      failed: [],
      flaky: ['a › loading or a hook'],
    }));
  it('keeps what failed when the second run never came to it', () =>
    expect(
      mergeRuns(run(file('a', { x: 'failed' })), { files: [], unhandledErrors: 0, hasCrashed: true }),
    ).toMatchObject({ failed: ['a › x'] }));
  it('counts unhandled errors and crashes, whatever the second run says', () => {
    const passed = file('a', { x: 'passed' });
    const outside = 'an error outside of all tests';
    expect(mergeRuns({ ...run(passed), unhandledErrors: 2 })).toMatchObject({ passed: 1, failed: [outside, outside] });
    expect(mergeRuns({ ...run(passed), hasCrashed: true })).toMatchObject({ passed: 1, failed: ['the run itself'] });
    expect(
      mergeRuns({ ...run(file('a', { x: 'failed' })), unhandledErrors: 1 }, run(file('a', { x: 'passed' }))),
    ).toMatchObject({ passed: 1, failed: [outside], flaky: ['a › x'] });
  });
});

describe('seconds', () => {
  it('names the slowest files first', () =>
    expect(slowestFiles([{ seconds: 1 }, { seconds: 3 }, { seconds: 2 }], 2)).toEqual([
      { seconds: 3 },
      { seconds: 2 },
    ]));
  it('warns of a suite that is over its budget only', () =>
    expect(budgetWarnings({ unit: 61.4, api: 60, e2e: 900 }, { unit: 60, api: 60 })).toEqual([
      'unit took 61 s, its budget is 60 s',
    ]));
  it('finds a budget for each suite in docs/testing.md', () => {
    const budgets = readBudgets(readFileSync(join(import.meta.dirname, '../docs/testing.md'), 'utf8'));
    expect(Object.keys(budgets).sort()).toEqual(['api', 'check', 'e2e', 'edge', 'faults', 'unit']);
    const minutes = Object.values(budgets).reduce((sum, seconds) => sum + seconds, 0) / 60;
    expect(minutes).toBeLessThan(25);
  });
});
