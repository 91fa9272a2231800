import { defineConfig } from 'vitest/config';
import { TestOrder } from './tools/test-order.ts';

const slowTests = ['**/*.api.test.ts', '**/*.edge.test.ts', 'tests/**'];
const ignored = ['**/node_modules/**', '**/dist/**'];

export default defineConfig({
  test: {
    sequence: { sequencer: TestOrder },
    projects: [
      {
        extends: true,
        test: {
          // Node by default; a console test asks for the browser's objects with `// @vitest-environment happy-dom`.
          name: 'unit',
          // A test that asserts nothing cannot fail.
          expect: { requireAssertions: true },
          include: ['{apps,packages,tools}/**/*.test.{ts,tsx}'],
          exclude: [...ignored, ...slowTests],
          setupFiles: ['./tools/vitest-setup.ts'],
          // What is wrong fails at once; a loaded machine is only slow.
          testTimeout: 60_000,
          maxWorkers: 2,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'api',
          expect: { requireAssertions: true },
          include: ['{apps,packages,tools}/**/*.api.test.ts'],
          exclude: ignored,
          globalSetup: ['./apps/api/src/testing/global-setup.ts'],
          testTimeout: 90_000,
          hookTimeout: 180_000,
          maxWorkers: 3,
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'edge',
          expect: { requireAssertions: true },
          include: ['{apps,packages,tools}/**/*.edge.test.ts'],
          exclude: ignored,
          globalSetup: ['./apps/edge/src/testing/build-edge.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          // Mostly its tests wait: for rows of logs, ends of bans, time-outs.
          maxWorkers: 4,
          isolate: false,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          exclude: ignored,
          globalSetup: ['./tests/support/shared-instances.ts'],
          setupFiles: ['./tests/support/failure-pictures.ts'],
          testTimeout: 120_000,
          hookTimeout: 240_000,
          // Browsers keep two processors busy: more at once would only wait for each other.
          maxWorkers: 2,
          maxConcurrency: 3,
          isolate: false,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: ['tests/faults/**/*.test.ts'],
          exclude: ignored,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 3,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
