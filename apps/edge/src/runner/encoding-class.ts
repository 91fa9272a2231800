import { newMemory, remember } from './worker-memory.ts';

/** What a client can take of the encodings that origins and the edge know: br and gzip, gzip, or none. */
export type EncodingClass = 'b' | 'g' | '-';

/** What origins are asked for. */
export const ENCODINGS: Readonly<Record<EncodingClass, string>> = { b: 'br, gzip', g: 'gzip', '-': 'identity' };

const classes = newMemory<string, EncodingClass>(1000);

/** Whether a coding is named, and not refused (`q=0`). */
function accepts(parts: readonly string[], coding: string): boolean {
  for (const part of parts) {
    const [name = '', ...parameters] = part.split(';');
    if (string.lower(name.trim()) === coding) {
      for (const parameter of parameters) {
        const [, , weight] = string.find(string.lower(parameter), '^%s*q%s*=%s*([%d.]+)%s*$');
        if (weight !== undefined && (tonumber(weight) ?? 1) === 0) return false;
      }
      return true;
    }
  }
  return false;
}

function classify(text: string): EncodingClass {
  const parts = text.split(',');
  if (!accepts(parts, 'gzip')) return '-';
  return accepts(parts, 'br') ? 'b' : 'g';
}

/** Of a value of Accept-Encoding (RFC 9110 12.5.3). */
export const encodingClass = (text: string): EncodingClass =>
  classes.entries.get(text) ?? remember(classes, text, classify(text));
