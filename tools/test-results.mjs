/**
 * What runs of test suites say together: counts, flaky tests, seconds. Pure functions, in plain JavaScript because
 * `tools/test.mjs` runs without a transpiler. A run is what `vitest-results.ts` writes.
 */

const key = (file, title) => `${file} › ${title}`;
const OUTSIDE = 'loading or a hook';
const isPassed = (test) => test.state === 'passed';

/** Files to run once more: those in which a test, a hook or the loading failed. */
export function failedFiles(run) {
  return run.files.filter((file) => file.hasFailed).map((file) => file.path);
}

/**
 * Joins a run and, if there was one, the second run of its failed files: how many tests passed, and the titles of those
 * that are `failed` and `flaky`. A test that passed in either is passed; one that also failed in one of them is flaky. A
 * file that failed without a failed test (loading, a hook) counts as one failure, and so does a run that failed with
 * none: an unhandled error, a crash.
 */
export function mergeRuns(first, second) {
  const again = new Map((second?.files ?? []).map((file) => [file.path, file]));
  const merged = { passed: 0, failed: [], flaky: [] };
  for (const file of first.files) {
    const retried = again.get(file.path);
    const outcome = retried ? mergeFile(file, retried) : countFile(file);
    merged.passed += outcome.passed;
    merged.failed.push(...outcome.failed);
    merged.flaky.push(...outcome.flaky);
  }
  // A second run that never came to a file leaves that file as the first run had it, so both runs' own failures count.
  for (const run of [first, second]) {
    for (let left = run?.unhandledErrors ?? 0; left > 0; left -= 1) merged.failed.push('an error outside of all tests');
  }
  const hasFailedUnexplained = [first, second].some((run) => run?.hasCrashed);
  if (hasFailedUnexplained && merged.failed.length === 0) merged.failed.push('the run itself');
  return merged;
}

function countFile(file) {
  const failed = file.tests.filter(({ state }) => state === 'failed').map(({ title }) => key(file.path, title));
  return {
    passed: file.tests.filter(isPassed).length,
    failed: failed.length === 0 && file.hasFailed ? [key(file.path, OUTSIDE)] : failed,
    flaky: [],
  };
}

function mergeFile(first, second) {
  const outcome = { passed: 0, failed: [], flaky: [] };
  const states = new Map();
  for (const { title, state } of [...first.tests, ...second.tests])
    states.set(title, [...(states.get(title) ?? []), state]);
  for (const [title, seen] of states) {
    if (seen.includes('passed')) {
      outcome.passed += 1;
      if (seen.includes('failed')) outcome.flaky.push(key(first.path, title));
    } else if (seen.includes('failed')) {
      outcome.failed.push(key(first.path, title));
    }
  }
  const failsOutsideTests = (file) => file.hasFailed && !file.tests.some(({ state }) => state === 'failed');
  if (failsOutsideTests(second) && outcome.failed.length === 0) outcome.failed.push(key(first.path, OUTSIDE));
  else if (failsOutsideTests(first) && !second.hasFailed) outcome.flaky.push(key(first.path, OUTSIDE));
  return outcome;
}

/** The slowest files of all suites, slowest first; `files` have `path` and `seconds`. */
export function slowestFiles(files, count = 10) {
  return [...files].sort((a, b) => b.seconds - a.seconds).slice(0, count);
}

/** Budgets of the suites in seconds: the rows `| suite | seconds | …` of docs/testing.md. */
export function readBudgets(page) {
  const rows = [...page.matchAll(/^\| `?([a-z0-9]+)`? \| (\d+) \|/gm)];
  return Object.fromEntries(rows.map(([, suite, seconds]) => [suite, Number(seconds)]));
}

/** One sentence for each suite that took longer than its budget. */
export function budgetWarnings(secondsOf, budgets) {
  return Object.entries(secondsOf)
    .filter(([suite, seconds]) => seconds > (budgets[suite] ?? Number.POSITIVE_INFINITY))
    .map(([suite, seconds]) => `${suite} took ${seconds.toFixed(0)} s, its budget is ${budgets[suite]} s`);
}
