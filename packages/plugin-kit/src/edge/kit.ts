import { parseRange } from '@cordon/contract/address';
import { type AddressSet, buildAddressSet } from '@cordon/contract/address-set';
import { CACHEABLE_EXTENSIONS } from '@cordon/contract/cacheable-extensions';
import { specialRangeKind } from '@cordon/contract/special-address';
import { byteCount, lowerAscii } from './byte-text.ts';
import { prepareCacheRules } from './cache-rules.ts';
import { cacheableFiles } from './cacheable-files.ts';
import type { CacheRules, CacheSettings, EdgeKit } from './context.ts';
import { durationSeconds } from './duration.ts';
import { compilePattern, type Pattern } from './pattern.ts';

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

function cacheRulesOfCustomer(this: void, settings: CacheSettings): CacheRules {
  return prepareCacheRules(settings, edgeKit);
}

/** The kit itself, the same in Node and, emitted as Lua, in nginx. */
export const edgeKit: EdgeKit = {
  addressSet: addressSetOfCustomer,
  addressSetAsWritten,
  pattern: patternOfCustomer,
  durationSeconds: durationOfCustomer,
  byteCount,
  lowerCase: lowerCaseOnce,
  isCacheableFile: cacheableFiles(CACHEABLE_EXTENSIONS),
  cacheableFiles,
  cacheRules: cacheRulesOfCustomer,
};
