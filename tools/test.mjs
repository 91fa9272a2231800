import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { budgetWarnings, failedFiles, mergeRuns, readBudgets, slowestFiles } from './test-results.mjs';

/**
 * `node tools/test.mjs [suite …]`: the checks and every suite of tests in order; the last line is `N passed, N failed`.
 * The exit code is 1 when anything failed and when nothing ran. Suites go on after a failure: one run reports all
 * failures. The checks run beside the suites with what these leave of the processors, since no suite uses all; they are
 * reported last.
 */
const root = resolve(fileURLToPath(import.meta.url), '../..');
const reports = join(root, 'test-results');
const checkCommand = [join(root, 'node_modules/tsx/dist/cli.mjs'), join(root, 'tools/check.ts')];
const SUITES = ['check', 'unit', 'api', 'edge', 'e2e', 'faults'];
/** Their failed files run once more, by themselves: the machine can hold up what they start, another file can leave something. */
const RETRIED = ['unit', 'api', 'edge', 'e2e', 'faults'];

const named = process.argv.slice(2);
const unknown = named.filter((name) => !SUITES.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown suite ${unknown.join(', ')}: use ${SUITES.join(', ')}.`);
  process.exit(1);
}

const children = new Set();
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
    process.exitCode = 1;
  });
}

const total = { passed: 0, failed: [], flaky: [] };
const files = [];
const secondsOf = {};
const now = () => performance.now() / 1000;
const startedAt = now();
const suites = SUITES.filter((suite) => named.length === 0 || named.includes(suite));
const beside = suites.includes('check') && suites.length > 1 ? checkBeside() : undefined;
for (const suite of suites) {
  if (process.exitCode === 1 || (suite === 'check' && beside)) continue;
  console.log(`\n━━ ${suite} ━━`);
  const suiteStartedAt = now();
  const result = suite === 'check' ? await check() : await tests(suite);
  secondsOf[suite] = now() - suiteStartedAt;
  count(suite, result, ` in ${secondsOf[suite].toFixed(1)} s`);
}
if (beside) {
  const { result, output, seconds: secondsBeside } = await beside;
  process.stdout.write(`\n━━ check ━━\n${output}`);
  count('check', result, ` in ${secondsBeside.toFixed(1)} s beside the suites`);
}
if (total.failed.length > 0 || total.passed === 0) process.exitCode = 1;
report();
console.log(`${total.passed} passed, ${total.failed.length} failed`);

function report() {
  console.log('\nslowest files:');
  for (const { path, seconds } of slowestFiles(files)) console.log(`${seconds.toFixed(1).padStart(7)} s  ${path}`);
  console.log('seconds per suite:');
  for (const [suite, seconds] of Object.entries(secondsOf))
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${suite}`);
  console.log(`${(now() - startedAt).toFixed(1).padStart(7)} s  together`);
  const budgets = readBudgets(readFileSync(join(root, 'docs/testing.md'), 'utf8'));
  for (const warning of budgetWarnings(secondsOf, budgets)) console.log(`over budget: ${warning}`);
  for (const state of ['flaky', 'failed']) {
    if (total[state].length > 0) console.log(`${state}:\n${total[state].map((title) => `  ${title}`).join('\n')}`);
  }
}

function count(suite, { passed, failed, flaky }, seconds) {
  total.passed += passed;
  total.failed.push(...failed.map((title) => `${suite}: ${title}`));
  total.flaky.push(...flaky.map((title) => `${suite}: ${title}`));
  console.log(`${suite}: ${passed} passed, ${failed.length} failed${seconds}`);
}

async function check(child = start(checkCommand)) {
  const status = await finished(child);
  return status === 0 ? { passed: 1, failed: [], flaky: [] } : { passed: 0, failed: ['see above'], flaky: [] };
}

/** The checks at the lowest priority, and what they say. */
async function checkBeside() {
  const checkStartedAt = now();
  const child = start(checkCommand, { stdio: ['ignore', 'pipe', 'pipe'] });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const result = await check(child);
  return { result, output, seconds: now() - checkStartedAt };
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
  const args = [
    join(root, 'node_modules/vitest/vitest.mjs'),
    ...['run', '--project', suite, '--passWithNoTests', '--reporter=dot', '--reporter=./tools/vitest-results.ts'],
    ...paths.map((path) => join(root, path)),
  ];
  const status = await finished(start(args, { env: { CORDON_TEST_RESULTS: results } }));
  try {
    const run = JSON.parse(readFileSync(results, 'utf8'));
    const isExplained = run.unhandledErrors > 0 || run.files.some(({ hasFailed }) => hasFailed);
    return { ...run, hasCrashed: status !== 0 && !isExplained };
  } catch {
    return { files: [], unhandledErrors: 0, hasCrashed: status !== 0 };
  }
}

function start(args, { env = {}, stdio = ['ignore', 'inherit', 'inherit'] } = {}) {
  // A log holds the words of a failure, not the colours of 9,000 dots.
  const colour = process.stdout.isTTY ? {} : { NO_COLOR: '1' };
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio,
    env: { ...process.env, ...colour, ...env, CI: '1' },
  });
  children.add(child);
  return child;
}

/** Its exit code, once all that it wrote has arrived. */
function finished(child) {
  return new Promise((done) => {
    child.on('close', (code) => done(code ?? 1));
    child.on('error', () => done(1));
  }).finally(() => children.delete(child));
}
