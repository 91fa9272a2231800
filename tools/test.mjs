import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `node tools/test.mjs [suite …]`: the checks and every suite of tests in order; the last line is `N passed, N failed`.
 * The exit code is 1 when anything failed and when nothing ran. Suites go on after a failure: one run tells everything.
 */
const root = resolve(fileURLToPath(import.meta.url), '../..');
const reports = join(root, 'test-results');
const SUITES = ['check', 'unit', 'api', 'edge', 'e2e', 'faults'];

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

mkdirSync(reports, { recursive: true });
const total = { passed: 0, failed: 0 };
const startedAt = performance.now();
for (const suite of SUITES) {
  if (process.exitCode === 1 || (named.length > 0 && !named.includes(suite))) continue;
  console.log(`\n━━ ${suite} ━━`);
  const suiteStartedAt = performance.now();
  const { passed, failed } = suite === 'check' ? await check() : await vitest(suite);
  total.passed += passed;
  total.failed += failed;
  const seconds = ((performance.now() - suiteStartedAt) / 1000).toFixed(1);
  console.log(`${suite}: ${passed} passed, ${failed} failed in ${seconds} s`);
}
console.log(`\nall suites in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
if (total.failed > 0 || total.passed === 0) process.exitCode = 1;
console.log(`${total.passed} passed, ${total.failed} failed`);

async function check() {
  const status = await node([join(root, 'node_modules/tsx/dist/cli.mjs'), join(root, 'tools/check.ts')]);
  return status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function vitest(suite) {
  const report = join(reports, `${suite}.json`);
  rmSync(report, { force: true });
  const status = await node([
    join(root, 'node_modules/vitest/vitest.mjs'),
    ...[
      'run',
      '--project',
      suite,
      '--passWithNoTests',
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
  ]);
  const counts = readCounts(report);
  // A file that cannot be loaded, an unhandled error or a crash fails no test of its own: it counts as one.
  if (status !== 0 && counts.failed === 0) counts.failed = 1;
  return counts;
}

function readCounts(report) {
  try {
    const { numPassedTests = 0, numFailedTests = 0 } = JSON.parse(readFileSync(report, 'utf8'));
    return { passed: numPassedTests, failed: numFailedTests };
  } catch {
    return { passed: 0, failed: 0 };
  }
}

function node(args) {
  return new Promise((done) => {
    child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, CI: '1' },
    });
    child.on('exit', (code) => done(code ?? 1));
    child.on('error', () => done(1));
  });
}
