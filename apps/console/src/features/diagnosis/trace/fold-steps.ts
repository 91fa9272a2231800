import type { TraceStepRow } from '@cordon/contract';

/** Steps in their order; those beside each other that did nothing in the same way are one run. */
export type StepRun = readonly [TraceStepRow, ...TraceStepRow[]];

const DOES_NOTHING: ReadonlySet<TraceStepRow['outcome']> = new Set(['pass', 'skipped', 'not_reached']);

export function foldSteps(steps: readonly TraceStepRow[]): readonly StepRun[] {
  const runs: [TraceStepRow, ...TraceStepRow[]][] = [];
  for (const step of steps) {
    const last = runs.at(-1);
    if (last && DOES_NOTHING.has(step.outcome) && last[0].outcome === step.outcome) last.push(step);
    else runs.push([step]);
  }
  return runs;
}
