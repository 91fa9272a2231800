import type { TraceStepRow } from '@cordon/contract';

/** Steps in their order; those beside each other that did nothing in the same way, and of which there is nothing to tell, are one run. */
export type StepRun = readonly [TraceStepRow, ...TraceStepRow[]];

const DOES_NOTHING: ReadonlySet<TraceStepRow['outcome']> = new Set(['pass', 'skipped', 'not_reached']);

export function foldSteps(steps: readonly TraceStepRow[]): readonly StepRun[] {
  const runs: [TraceStepRow, ...TraceStepRow[]][] = [];
  for (const step of steps) {
    const last = runs.at(-1);
    const isFolded = last && DOES_NOTHING.has(step.outcome) && last[0].outcome === step.outcome;
    if (isFolded && !last[0].signature_taken && !step.signature_taken) last.push(step);
    else runs.push([step]);
  }
  return runs;
}
