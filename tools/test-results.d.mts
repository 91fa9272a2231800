/** One run of a suite, as `vitest-results.ts` writes it. */
export interface SuiteRun {
  readonly files: readonly FileRun[];
  /** Errors that belong to no test. */
  readonly unhandledErrors: number;
  /** The process failed without a word about the cause. */
  readonly hasCrashed: boolean;
}
export interface FileRun {
  /** Below the repository's root. */
  readonly path: string;
  /** Loading, hooks and tests. */
  readonly seconds: number;
  /** A test, a hook or the loading failed. */
  readonly hasFailed: boolean;
  readonly tests: readonly { readonly title: string; readonly state: 'passed' | 'failed' | 'skipped' | 'pending' }[];
}
export interface Merged {
  readonly passed: number;
  /** `file › title` of what failed. */
  readonly failed: readonly string[];
  /** `file › title` of what failed once and passed once. */
  readonly flaky: readonly string[];
}
export function failedFiles(run: SuiteRun): string[];
export function mergeRuns(first: SuiteRun, second?: SuiteRun): Merged;
export function slowestFiles<File extends { readonly seconds: number }>(files: readonly File[], count?: number): File[];
export function readBudgets(page: string): Record<string, number>;
export function budgetWarnings(
  secondsOf: Readonly<Record<string, number>>,
  budgets: Readonly<Record<string, number>>,
): string[];
