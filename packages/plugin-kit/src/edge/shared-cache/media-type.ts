import { isToken, trimBlanks } from './field-syntax.ts';
import type { CacheAnswer } from './types.ts';

/** Media type of an answer in lower case, without parameters (RFC 9110 8.3); empty when it has none, several, or what is none. */
export function mediaTypeOf(this: void, answer: CacheAnswer): string {
  const lines = answer.fieldValues('content-type');
  const [line] = lines;
  if (line === undefined || lines.length > 1) return '';
  const semicolon = line.indexOf(';');
  const type = trimBlanks(semicolon < 0 ? line : line.substring(0, semicolon));
  const slash = type.indexOf('/');
  const isType = slash > 0 && isToken(type.substring(0, slash)) && isToken(type.substring(slash + 1));
  return isType ? type.toLowerCase() : '';
}

/** Whether a media type is one of `types`: media types (`text/css`) and families (`image`). */
export function isOneOfTypes(this: void, mediaType: string, types: readonly string[]): boolean {
  const family = mediaType.substring(0, Math.max(0, mediaType.indexOf('/')));
  for (const type of types) {
    const lower = type.toLowerCase();
    if (lower !== '' && (lower === mediaType || lower === family)) return true;
  }
  return false;
}
