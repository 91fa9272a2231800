import { parseDeltaSeconds } from './delta-seconds.ts';
import { readDirectives } from './directive-syntax.ts';
import {
  type AnswerDirectives,
  type AnswerDirectivesDraft,
  forbid,
  INVALID_SECONDS,
  noAnswerDirectives,
  stateSeconds,
} from './directives.ts';

/** `60`, or `60+30`: fresh for 60 s, and for 30 more it may serve while a newer answer is fetched. */
function stateMaxAge(draft: AnswerDirectivesDraft, argument: string): void {
  const plus = argument.indexOf('+');
  const fresh = plus < 0 ? argument : argument.substring(0, plus);
  stateSeconds(draft, 'max-age', parseDeltaSeconds(fresh) ?? INVALID_SECONDS);
  if (plus < 0) return;
  stateSeconds(draft, 'stale-while-revalidate', parseDeltaSeconds(argument.substring(plus + 1)) ?? INVALID_SECONDS);
}

/**
 * What Surrogate-Control says (Edge Architecture Specification, W3C Note of 2001, 2.2), one value for each line: for caches of the origin's
 * side, in place of Cache-Control and Expires. Undefined where it neither states for how long nor forbids to use what is stored: what
 * Cache-Control keeps to one visitor stays so. What is for a surrogate of another name (`;`) is malformed here: it forbids, and allows nothing.
 */
export function surrogateDirectives(this: void, values: readonly string[]): AnswerDirectives | undefined {
  const draft = noAnswerDirectives();
  for (const { name, argument } of readDirectives(values)) {
    if (name === 'max-age') stateMaxAge(draft, argument);
    // By s-maxage, what answers credentials or sets a cookie would be for everybody (RFC 9111 3.5).
    else if (name !== 's-maxage' && !forbid(draft, name === 'no-store-remote' ? 'no-store' : name))
      stateSeconds(draft, name, parseDeltaSeconds(argument) ?? INVALID_SECONDS);
  }
  const isForbidding = draft.hasNoStore || draft.hasNoCache || draft.hasPrivate;
  return isForbidding || draft.maxAgeSeconds !== undefined ? draft : undefined;
}
