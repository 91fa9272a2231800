import { parseRange } from '@cordon/contract/address';
import { type AddressSet, buildAddressSet } from '@cordon/contract/address-set';
import { CACHEABLE_EXTENSIONS } from '@cordon/contract/cacheable-extensions';
import { specialRangeKind } from '@cordon/contract/special-address';
import type { EdgeKit } from './context.ts';
import { durationSeconds } from './duration.ts';
import { compilePattern, NEVER, type Pattern } from './pattern.ts';

const DOT = 46;
const SLASH = 47;

function addressSetOfCustomer(this: void, entries: readonly string[]): AddressSet {
  const ordinary: string[] = [];
  for (const entry of entries) {
    const range = parseRange(entry);
    if (range !== undefined && specialRangeKind(range) === undefined) ordinary.push(entry);
  }
  return buildAddressSet(ordinary);
}

function patternOfCustomer(this: void, source: string): Pattern {
  return compilePattern(source).pattern ?? NEVER;
}

function durationOfCustomer(this: void, text: string): number {
  return durationSeconds(text) ?? 0;
}

/** By extension, in lower case: files that a cache keeps by default (product design, "cache_postfixes"). */
const isCacheable: Record<string, boolean | undefined> = {};
for (const extension of CACHEABLE_EXTENSIONS) isCacheable[extension] = true;

function isCacheableFile(this: void, path: string): boolean {
  let start = path.length;
  while (start > 0 && path.charCodeAt(start - 1) !== DOT) {
    start--;
    if (path.charCodeAt(start) === SLASH) return false;
  }
  return start > 0 && isCacheable[path.substring(start).toLowerCase()] === true;
}

/** The kit itself, the same in Node and, emitted as Lua, in nginx. */
export const edgeKit: EdgeKit = {
  addressSet: addressSetOfCustomer,
  pattern: patternOfCustomer,
  durationSeconds: durationOfCustomer,
  isCacheableFile,
};
