import { isToken, listMembers } from './field-syntax.ts';
import type { CacheAnswer } from './types.ts';
import { UNKEYED_FIELDS } from './unkeyed-fields.ts';

/** Longest list of names, a comma and a blank between (nginx keeps 128): an attacker of an origin must not make keys without bounds. */
export const VARY_BYTES_MAX = 120;

/** Fields that origins get of the edge, not of a visitor, and that differ by visitor: nothing here could tell their answers apart. */
const OF_THE_EDGE = ['cordon-country', 'x-forwarded-for', 'x-real-ip', 'x-request-id', 'forwarded', 'cdn-loop'];
/** Those of what the key has. */
const OF_THE_KEY = ['accept-encoding', 'x-forwarded-proto', 'x-forwarded-host', 'host', 'cordon-device'];

/**
 * Names of the Vary fields in lower case, sorted, each once, without those of the key and those that no origin gets. Undefined where no request matches: with `*`
 * anywhere (RFC 9111 4.1), what is no name, or what the edge tells an origin of its visitor.
 */
export function varyOf(this: void, answer: CacheAnswer): string[] | undefined {
  const names: string[] = [];
  for (const member of listMembers(answer.fieldValues('vary'))) {
    const name = member.toLowerCase();
    if (name === '*' || !isToken(name) || OF_THE_EDGE.includes(name)) return undefined;
    const isSame = OF_THE_KEY.includes(name) || UNKEYED_FIELDS.includes(name);
    if (!isSame && !names.includes(name)) names.push(name);
  }
  return names.sort();
}

/** Whether the names of `varyOf`, as nginx keeps them, are longer than `VARY_BYTES_MAX`. */
export const isVaryLong = (names: readonly string[]): boolean => names.join(', ').length > VARY_BYTES_MAX;
