import { isToken, listMembers } from './field-syntax.ts';
import type { CacheAnswer } from './types.ts';

/** Longest list of names, a comma and a blank between (nginx keeps 128): an attacker of an origin must not make keys without bounds. */
export const VARY_BYTES_MAX = 120;

/**
 * Names of the Vary fields in lower case, sorted, each once, without Accept-Encoding. Undefined where no request matches: with `*`
 * anywhere (RFC 9111 4.1), or what is no name.
 */
export function varyOf(this: void, answer: CacheAnswer): string[] | undefined {
  const names: string[] = [];
  for (const member of listMembers(answer.fieldValues('vary'))) {
    if (member === '*' || !isToken(member)) return undefined;
    const name = member.toLowerCase();
    if (name !== 'accept-encoding' && !names.includes(name)) names.push(name);
  }
  return names.sort();
}

export const isVaryLong = (names: readonly string[]): boolean => names.join(', ').length > VARY_BYTES_MAX;
