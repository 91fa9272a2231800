/** Which of the 256 bytes are in a set, by byte. */
export type ByteSet = readonly boolean[];

function emptySet(): boolean[] {
  const bytes: boolean[] = [];
  for (let byte = 0; byte < 256; byte++) bytes.push(false);
  return bytes;
}

/** All bytes from `first` to `last`, both included. */
export function byteRange(first: number, last: number): ByteSet {
  const bytes = emptySet();
  for (let byte = first; byte <= last; byte++) bytes[byte] = true;
  return bytes;
}

export function setOf(members: readonly number[]): ByteSet {
  const bytes = emptySet();
  for (const member of members) bytes[member] = true;
  return bytes;
}

export function unite(sets: readonly ByteSet[]): ByteSet {
  const bytes = emptySet();
  for (const set of sets) {
    for (let byte = 0; byte < 256; byte++) if (set[byte] === true) bytes[byte] = true;
  }
  return bytes;
}

/** The ASCII bytes that are not in the set. */
export function complement(set: ByteSet): ByteSet {
  const bytes = emptySet();
  for (let byte = 0; byte < 128; byte++) if (set[byte] !== true) bytes[byte] = true;
  return bytes;
}

function singles(): ByteSet[] {
  const sets: ByteSet[] = [];
  for (let byte = 0; byte < 256; byte++) sets.push(setOf([byte]));
  return sets;
}

/** The set of each byte alone. */
export const ONE_BYTE: readonly ByteSet[] = singles();
