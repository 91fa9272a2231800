import { bytesOfText } from './byte-text.ts';

/**
 * HMAC-SHA256 (RFC 2104, FIPS 180-4) in what TypeScript and LuaJIT have in common: the trace, replays and cases come to the same as
 * nginx, which asks OpenSSL. Bit operations answer signed words in both.
 */
const ROUNDS: readonly number[] = [
  ...[0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5],
  ...[0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174],
  ...[0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da],
  ...[0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967],
  ...[0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85],
  ...[0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070],
  ...[0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3],
  ...[0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2],
];
const START: readonly number[] = [
  ...[0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19],
];

const BLOCK_BYTES = 64;
const BLOCK_WORDS = 16;
const OUTER = 0x5c;
const INNER = 0x36;

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** Takes a block of 16 words into the hash. */
function compress(hash: number[], block: readonly number[]): void {
  const words: number[] = [...block];
  for (let at = BLOCK_WORDS; at < 64; at++) {
    const early = words[at - 15] as number;
    const late = words[at - 2] as number;
    const small = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const large = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    words[at] = ((words[at - 16] as number) + small + (words[at - 7] as number) + large) | 0;
  }
  let [a, b, c, d, e, f, g, h] = hash as [number, number, number, number, number, number, number, number];
  for (let at = 0; at < 64; at++) {
    const chosen = (e & f) ^ (~e & g);
    const mixed = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + mixed + chosen + (ROUNDS[at] as number) + (words[at] as number)) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  const changed = [a, b, c, d, e, f, g, h];
  for (let at = 0; at < 8; at++) hash[at] = ((hash[at] as number) + (changed[at] as number)) | 0;
}

/** SHA-256 of bytes (0 to 255), as eight words. */
function sha256(bytes: readonly number[]): number[] {
  const padded: number[] = [...bytes, 0x80];
  while (padded.length % BLOCK_BYTES !== BLOCK_BYTES - 8) padded.push(0);
  // Texts here are far shorter than 2^29 bytes: the upper half of the length is 0.
  const bits = bytes.length * 8;
  padded.push(0, 0, 0, 0, (bits >>> 24) & 0xff, (bits >>> 16) & 0xff, (bits >>> 8) & 0xff, bits & 0xff);
  const hash: number[] = [...START];
  for (let start = 0; start < padded.length; start += BLOCK_BYTES) {
    const block: number[] = [];
    for (let at = start; at < start + BLOCK_BYTES; at += 4) {
      const [first, second, third, last] = [padded[at], padded[at + 1], padded[at + 2], padded[at + 3]] as number[];
      block.push(((first as number) << 24) | ((second as number) << 16) | ((third as number) << 8) | (last as number));
    }
    compress(hash, block);
  }
  return hash;
}

function bytesOf(text: string): number[] {
  const bytes = bytesOfText(text);
  const codes: number[] = [];
  for (let at = 0; at < bytes.length; at++) codes.push(bytes.charCodeAt(at));
  return codes;
}

function bytesOfWords(words: readonly number[]): number[] {
  const bytes: number[] = [];
  for (const word of words) bytes.push((word >>> 24) & 0xff, (word >>> 16) & 0xff, (word >>> 8) & 0xff, word & 0xff);
  return bytes;
}

const DIGITS = '0123456789abcdef';

/** 64 hex digits, in lower case. */
export function hmacSha256Hex(this: void, key: string, text: string): string {
  const given = bytesOf(key);
  const bytes = given.length > BLOCK_BYTES ? bytesOfWords(sha256(given)) : given;
  const inner: number[] = [];
  const outer: number[] = [];
  for (let at = 0; at < BLOCK_BYTES; at++) {
    const byte = at < bytes.length ? (bytes[at] as number) : 0;
    inner.push(byte ^ INNER);
    outer.push(byte ^ OUTER);
  }
  for (const byte of bytesOf(text)) inner.push(byte);
  for (const byte of bytesOfWords(sha256(inner))) outer.push(byte);
  let digits = '';
  for (const byte of bytesOfWords(sha256(outer))) digits += DIGITS.charAt(byte >>> 4) + DIGITS.charAt(byte & 0xf);
  return digits;
}
