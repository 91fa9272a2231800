import { SECONDS_MAX } from './delta-seconds.ts';
import {
  type AnswerDirectives,
  type AnswerDirectivesDraft,
  addWithheldFields,
  allow,
  forbid,
  INVALID_SECONDS,
  noAnswerDirectives,
  stateSeconds,
} from './directives.ts';
import { type DictionaryMember, parseDictionary } from './structured-dictionary.ts';

/** Takes over one directive; false when its value is not of the type that its argument maps to (RFC 9213 2.1). */
function takeOver(draft: AnswerDirectivesDraft, { key, kind, integer, text }: DictionaryMember): boolean {
  if (kind === 'string' && (key === 'no-cache' || key === 'private')) {
    if (!addWithheldFields(draft, text)) forbid(draft, key);
    return true;
  }
  const seconds = integer < 0 ? INVALID_SECONDS : Math.min(integer, SECONDS_MAX);
  if (stateSeconds(draft, key, seconds)) return kind === 'integer';
  const isForbidding = forbid(draft, key);
  return allow(draft, key) || isForbidding ? kind === 'true' : true;
}

/**
 * What a targeted field, CDN-Cache-Control (RFC 9213), says, one value for each line. Undefined when it is empty, no Dictionary,
 * or has a directive with a value of another type: then all of it is ignored, and Cache-Control holds.
 */
export function targetedDirectives(this: void, values: readonly string[]): AnswerDirectives | undefined {
  if (values.length === 0) return undefined;
  const members = parseDictionary(values.join(', '));
  if (members === undefined || members.length === 0) return undefined;
  const draft = noAnswerDirectives();
  const isKnown: { [markedKey: string]: true | undefined } = {};
  for (let at = members.length - 1; at >= 0; at--) {
    const member = members[at] as DictionaryMember;
    // The last member of a key takes the place of those before it (RFC 8941 3.2).
    const marked = `=${member.key}`;
    if (isKnown[marked] !== true && !takeOver(draft, member)) return undefined;
    isKnown[marked] = true;
  }
  return draft;
}
