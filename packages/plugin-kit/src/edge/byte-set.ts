/** A set of some of the 256 bytes. */
export interface ByteSet {
  /** By byte. */
  readonly has: readonly boolean[];
  /** Ascending. */
  readonly members: readonly number[];
}

function setWhere(has: readonly boolean[]): ByteSet {
  const members: number[] = [];
  for (let byte = 0; byte < 256; byte++) if (has[byte] === true) members.push(byte);
  return { has, members };
}

function noBytes(): boolean[] {
  const has: boolean[] = [];
  for (let byte = 0; byte < 256; byte++) has.push(false);
  return has;
}

/** All bytes from `first` to `last`, both included. */
export function byteRange(first: number, last: number): ByteSet {
  const has = noBytes();
  for (let byte = first; byte <= last; byte++) has[byte] = true;
  return setWhere(has);
}

export function setOf(members: readonly number[]): ByteSet {
  const has = noBytes();
  for (const member of members) has[member] = true;
  return setWhere(has);
}

export function unite(sets: readonly ByteSet[]): ByteSet {
  const has = noBytes();
  for (const { members } of sets) for (const byte of members) has[byte] = true;
  return setWhere(has);
}

/** The ASCII bytes that are not in the set. */
export function complement(set: ByteSet): ByteSet {
  const has = noBytes();
  for (let byte = 0; byte < 128; byte++) if (set.has[byte] !== true) has[byte] = true;
  return setWhere(has);
}

function singles(): ByteSet[] {
  const sets: ByteSet[] = [];
  for (let byte = 0; byte < 256; byte++) sets.push(setOf([byte]));
  return sets;
}

/** The set of each byte alone. */
export const ONE_BYTE: readonly ByteSet[] = singles();

function lettersInEitherCase(): ByteSet[] {
  const sets = [...ONE_BYTE];
  for (let upper = 65; upper <= 90; upper++) {
    const both = setOf([upper, upper + 32]);
    sets[upper] = both;
    sets[upper + 32] = both;
  }
  return sets;
}

/** The set of each byte, a letter of ASCII with its other case. */
export const EITHER_CASE: readonly ByteSet[] = lettersInEitherCase();
