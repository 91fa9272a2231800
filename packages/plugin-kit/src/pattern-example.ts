import { compilePattern, isFound } from './edge/pattern.ts';
import { byteText } from './edge/pattern-program.ts';
import { type PatternNode, readPattern } from './edge/pattern-reader.ts';

const BYTES_MAX = 300;
const SLASH = 47;
/** What is taken of a class of bytes, the first that belongs to it. */
const LIKED = [...'abcdefghijklmnopqrstuvwxyz0123456789-_/.=: ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((one) =>
  one.charCodeAt(0),
);

/** Bytes that the tree is found in: the first of a choice, as little as possible of what repeats. Undefined: none are known. */
function bytesOf(node: PatternNode): number[] | undefined {
  if (node.kind === 'start' || node.kind === 'end') return [];
  if (node.kind === 'choice') {
    for (const part of node.parts) {
      const bytes = bytesOf(part);
      if (bytes !== undefined) return bytes;
    }
    return undefined;
  }
  if (node.kind === 'set') {
    const byte = LIKED.find((one) => node.set.has[one] === true) ?? firstVisible(node.set.has);
    return byte === undefined ? undefined : [byte];
  }
  const parts = node.kind === 'repeat' ? Array.from({ length: node.min }, () => node.part) : node.parts;
  const all: number[] = [];
  for (const part of parts) {
    const bytes = bytesOf(part);
    if (bytes === undefined || all.length + bytes.length > BYTES_MAX) return undefined;
    all.push(...bytes);
  }
  return all;
}

function firstVisible(has: Readonly<Record<number, boolean | undefined>>): number | undefined {
  for (let byte = 33; byte < 127; byte++) if (has[byte] === true) return byte;
  return undefined;
}

/** A short text of ASCII that the pattern is found in. Undefined: none is known. */
export function exampleOf(source: string): string | undefined {
  const { pattern } = compilePattern(source);
  const { node } = readPattern([...byteText(source)].map((one) => one.charCodeAt(0)));
  const bytes = node && bytesOf(node);
  if (!pattern || !bytes) return undefined;
  const text = String.fromCharCode(...bytes);
  return isAsciiText(text) && isFound(pattern, text) ? text : undefined;
}

const isAsciiText = (text: string): boolean => [...text].every((one) => one >= ' ' && one <= '~');

/** A path, as it is sent, that the pattern is found in when it is decoded. Undefined: none is known. */
export function examplePathOf(source: string): string | undefined {
  const { pattern } = compilePattern(source);
  if (!pattern) return undefined;
  if (isFound(pattern, '/')) return '/';
  const example = exampleOf(source);
  if (example === undefined) return undefined;
  const path = example.charCodeAt(0) === SLASH ? example : `/${example}`;
  return isFound(pattern, path) ? sentPathOf(path) : undefined;
}

/** A decoded path as it is sent. Undefined: nginx would read another one. */
export function sentPathOf(path: string): string | undefined {
  if (!path.startsWith('/') || path.includes('//') || path.split('/').some((part) => part === '.' || part === '..'))
    return undefined;
  return path.split('/').map(encodeURIComponent).join('/');
}
