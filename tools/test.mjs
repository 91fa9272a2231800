import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { budgetWarnings, failedFiles, mergeRuns, readBudgets, slowestFiles } from './test-results.mjs';

/**
 * `node tools/test.mjs [suite …]`: the checks and every suite of tests in order; the last line is `N passed, N failed`.
 * The exit code is 1 when anything failed and when nothing ran. Suites go on after a failure: one run tells everything.
 */
const root = resolve(fileURLToPath(import.meta.url), '../..');
const reports = join(root, 'test-results');
const SUITES = ['check', 'unit', 'api', 'edge', 'e2e', 'faults'];
/** Their failed files run once more: what these start can be held up by the machine. */
const RETRIED = ['api', 'edge', 'e2e', 'faults'];

const named = process.argv.slice(2);
const unknown = named.filter((name) => !SUITES.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown suite ${unknown.join(', ')}: use ${SUITES.join(', ')}.`);
  process.exit(1);
}

let child;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    child?.kill(signal);
    process.exitCode = 1;
  });
}

const total = { passed: 0, failed: 0, flaky: [] };
const files = [];
const secondsOf = {};
const now = () => performance.now() / 1000;
const startedAt = now();
for (const suite of SUITES) {
  if (process.exitCode === 1 || (named.length > 0 && !named.includes(suite))) continue;
  console.log(`\n━━ ${suite} ━━`);
  const suiteStartedAt = now();
  const { passed, failed, flaky } = suite === 'check' ? await check() : await tests(suite);
  total.passed += passed;
  total.failed += failed;
  total.flaky.push(...flaky);
  secondsOf[suite] = now() - suiteStartedAt;
  console.log(`${suite}: ${passed} passed, ${failed} failed in ${secondsOf[suite].toFixed(1)} s`);
}
if (total.failed > 0 || total.passed === 0) process.exitCode = 1;
report();
console.log(`${total.passed} passed, ${total.failed} failed`);

function report() {
  console.log('\nslowest files:');
  for (const { path, seconds } of slowestFiles(files)) console.log(`${seconds.toFixed(1).padStart(7)} s  ${path}`);
  console.log('seconds per suite:');
  for (const [suite, seconds] of Object.entries(secondsOf))
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${suite}`);
  console.log(`${(now() - startedAt).toFixed(1).padStart(7)} s  together`);
  const budgets = readBudgets(readFileSync(join(root, 'docs/testing.md'), 'utf8'));
  for (const warning of budgetWarnings(secondsOf, budgets)) console.log(`over budget: ${warning}`);
  if (total.flaky.length > 0) console.log(`flaky:\n${total.flaky.map((title) => `  ${title}`).join('\n')}`);
}

async function check() {
  const status = await node([join(root, 'node_modules/tsx/dist/cli.mjs'), join(root, 'tools/check.ts')]);
  return status === 0 ? { passed: 1, failed: 0, flaky: [] } : { passed: 0, failed: 1, flaky: [] };
}

async function tests(suite) {
  const first = await vitest(suite);
  files.push(...first.files);
  const again = RETRIED.includes(suite) && process.exitCode !== 1 ? failedFiles(first) : [];
  if (again.length === 0) return mergeRuns(first);
  console.log(`\nonce more: ${again.join(', ')}`);
  return mergeRuns(first, await vitest(suite, again));
}

/** Runs a suite, or some of its files, in a process of its own. */
async function vitest(suite, paths = []) {
  const results = join(reports, `${suite}${paths.length > 0 ? '-again' : ''}.json`);
  rmSync(results, { force: true });
  const status = await node(
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      ...['run', '--project', suite, '--passWithNoTests', '--reporter=dot', '--reporter=./tools/vitest-results.ts'],
      ...paths.map((path) => join(root, path)),
    ],
    { CORDON_TEST_RESULTS: results },
  );
  try {
    const run = JSON.parse(readFileSync(results, 'utf8'));
    const isExplained = run.unhandledErrors > 0 || run.files.some(({ hasFailed }) => hasFailed);
    return { ...run, hasCrashed: status !== 0 && !isExplained };
  } catch {
    return { files: [], unhandledErrors: 0, hasCrashed: status !== 0 };
  }
}

function node(args, environment = {}) {
  return new Promise((done) => {
    child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...environment, CI: '1' },
    });
    child.on('exit', (code) => done(code ?? 1));
    child.on('error', () => done(1));
  });
}
