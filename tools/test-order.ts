import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest begins first, also where no run has left its durations: the last worker should not wait for it alone. */
const SLOWEST = ['screens.test.ts', 'kill-parts.test.ts', 'plugins-cli.test.ts', 'resilience.edge.test.ts'];

/** A worker goes on only with a file of the same environment, and loads everything anew for another. */
const hasDom = ({ moduleId }: TestSpecification): boolean =>
  readFileSync(moduleId, 'utf8').startsWith('// @vitest-environment happy-dom');
const isSlowest = ({ moduleId }: TestSpecification): boolean => SLOWEST.some((name) => moduleId.endsWith(`/${name}`));

/** The order of test files: by environment, and in it the slowest first. */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = new Map(sorted.map((file) => [file, (hasDom(file) ? 2 : 0) + (isSlowest(file) ? 0 : 1)]));
    return sorted.toSorted((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0));
  }
}
