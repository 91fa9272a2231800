import type { EdgeRoute } from '@cordon/contract/edge-config';
import type { EdgeContext, EdgeKit } from '../edge/context.ts';

/** What a verdict said, and what it came of. */
interface Verdict {
  readonly reason: string;
  readonly rule: string;
  readonly matched?: readonly Readonly<Record<string, unknown>>[] | undefined;
}

/**
 * `explain` of a plugin's `explain.ts`: which parts of a valid configuration a verdict on a request came of, with no more of each than
 * fits. The plugin's `sayValue` has words for each as a value of the field `matched`. None where a doubt decided. Runs where a request
 * is traced, and never at the edge.
 */
export type Explain<Config> = (
  config: Config,
  verdict: Pick<Verdict, 'reason' | 'rule'>,
  ctx: EdgeContext,
  kit: EdgeKit,
) => readonly Readonly<Record<string, unknown>>[];
export type AnyExplain = Explain<never>;

/** The steps of plugins with what their verdicts came of. */
export function explainTurns<Step extends Verdict>(
  turns: ReadonlyMap<string, Step>,
  entries: EdgeRoute['plugins'],
  explanations: Readonly<Record<string, AnyExplain | undefined>>,
  /** One of which nothing has been spent yet (`EdgeContext.spendOn`). */
  makeContext: () => EdgeContext,
  /** The one that the handlers have prepared with. */
  kit: EdgeKit,
): ReadonlyMap<string, Step> {
  const explained = new Map(turns);
  for (const { name, config } of entries) {
    const step = turns.get(name);
    const explain = explanations[name];
    if (step === undefined || step.reason === '' || explain === undefined) continue;
    const matched = explain(config as never, step, makeContext(), kit);
    if (matched.length > 0) explained.set(name, { ...step, matched });
  }
  return explained;
}
