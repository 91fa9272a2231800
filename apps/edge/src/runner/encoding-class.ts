/** What a client can take of the encodings that origins and the edge know: br and gzip, gzip, or none. */
export type EncodingClass = 'b' | 'g' | '-';

/** What origins are asked for. */
export const ENCODINGS: Readonly<Record<EncodingClass, string>> = { b: 'br, gzip', g: 'gzip', '-': 'identity' };

const CLASSES_MAX = 1000;
let classes = new LuaTable<string, EncodingClass>();
let classCount = 0;

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
export function encodingClass(text: string): EncodingClass {
  const known = classes.get(text) as EncodingClass | undefined;
  if (known !== undefined) return known;
  if (classCount >= CLASSES_MAX) {
    classes = new LuaTable();
    classCount = 0;
  }
  const found = classify(text);
  classes.set(text, found);
  classCount++;
  return found;
}
