import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import type { FileRun, SuiteRun } from './test-results.mjs';

/** Writes what `tools/test.mjs` counts into the file that `CORDON_TEST_RESULTS` names. */
export default class ResultsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const file = process.env.CORDON_TEST_RESULTS;
    if (file === undefined) throw new Error('CORDON_TEST_RESULTS names no file');
    const run: SuiteRun = {
      files: modules.map(fileRunOf),
      unhandledErrors: unhandledErrors.length,
      hasCrashed: false,
    };
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(run));
  }
}

function fileRunOf(module: TestModule): FileRun {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic();
  const milliseconds = environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration;
  return {
    path: relative(process.cwd(), module.moduleId),
    seconds: milliseconds / 1000,
    hasFailed: module.state() === 'failed',
    tests: [...module.children.allTests()].map((test) => ({ title: test.fullName, state: test.result().state })),
  };
}
