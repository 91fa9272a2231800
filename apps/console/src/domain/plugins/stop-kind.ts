import type { Replay } from '@cordon/contract';
import { challengeKind } from '../words/challenge-kind';

/** How what is stopped is stopped. */
export function stopKind({ plugin, verdicts: { block, challenge } }: Replay) {
  if (challenge === 0) return 'block';
  const kind = challengeKind(plugin);
  if (block === 0) return kind;
  return kind === 'wait' ? 'blockOrWait' : 'both';
}
