import { parseRange } from '@cordon/contract/address';
import { type AddressSet, buildAddressSet } from '@cordon/contract/address-set';
import { CACHEABLE_EXTENSIONS } from '@cordon/contract/cacheable-extensions';
import { specialRangeKind } from '@cordon/contract/special-address';
import { byteCount, lowerAscii } from './byte-text.ts';
import type { EdgeKit } from './context.ts';
import { durationSeconds } from './duration.ts';
import { compilePattern, type Pattern } from './pattern.ts';

const DOT = 46;

function addressSetOfCustomer(this: void, entries: readonly string[]): AddressSet {
  const ordinary: string[] = [];
  for (const entry of entries) {
    const range = parseRange(entry);
    if (range !== undefined && specialRangeKind(range) === undefined) ordinary.push(entry);
  }
  return buildAddressSet(ordinary);
}

function addressSetAsWritten(this: void, entries: readonly string[]): AddressSet {
  return buildAddressSet(entries);
}

/* The schemas let nothing pass that is none. A configuration with one comes from elsewhere: it must not be taken for one that asks for nothing. */
function patternOfCustomer(this: void, source: string): Pattern {
  const { pattern } = compilePattern(source);
  if (pattern === undefined) throw new Error(`no pattern: ${source}`);
  return pattern;
}

function durationOfCustomer(this: void, text: string): number {
  const seconds = durationSeconds(text);
  if (seconds === undefined) throw new Error(`no duration: ${text}`);
  return seconds;
}

/** By extension, in lower case: files that a cache keeps by default (product design, "cache_postfixes"). */
const isCacheable: Record<string, boolean | undefined> = {};
for (const extension of CACHEABLE_EXTENSIONS) isCacheable[extension] = true;

/** By extension, in lower case: programs, to which origins give what stands behind their name in a path (PATH_INFO). */
const isProgram: Record<string, boolean | undefined> = {};
for (const extension of [
  ...['action', 'ashx', 'asmx', 'asp', 'aspx', 'axd', 'cfc', 'cfm', 'cgi', 'dll', 'do', 'fcgi', 'jsf', 'jsp', 'jspx'],
  ...['lua', 'phar', 'php', 'php3', 'php4', 'php5', 'php7', 'php8', 'phtml', 'pl', 'py', 'rb', 'svc'],
])
  isProgram[extension] = true;

/** In lower case, without its dot; empty when there is none. */
function extensionOf(segment: string): string {
  let start = segment.length;
  while (start > 0 && segment.charCodeAt(start - 1) !== DOT) start--;
  return start > 0 ? segment.substring(start).toLowerCase() : '';
}

function isCacheableFile(this: void, path: string): boolean {
  if (!path.includes('.')) return false;
  // Servlets take what follows for parameters: `/login;x.css` is `/login`.
  if (path.includes(';')) return false;
  const segments = path.split('/');
  if (isCacheable[extensionOf(segments[segments.length - 1] as string)] !== true) return false;
  for (const segment of segments) {
    if (isProgram[extensionOf(segment)] === true) return false;
  }
  return true;
}

let lastText = '';
let lastLower = '';

/** Each of many rules asks for the same text. */
function lowerCaseOnce(this: void, text: string): string {
  if (text !== lastText) {
    lastLower = lowerAscii(text);
    lastText = text;
  }
  return lastLower;
}

/** The kit itself, the same in Node and, emitted as Lua, in nginx. */
export const edgeKit: EdgeKit = {
  addressSet: addressSetOfCustomer,
  addressSetAsWritten,
  pattern: patternOfCustomer,
  durationSeconds: durationOfCustomer,
  byteCount,
  lowerCase: lowerCaseOnce,
  isCacheableFile,
};
