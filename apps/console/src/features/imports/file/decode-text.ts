import type { Encoding } from './sheet';

const startsWith = (bytes: Uint8Array, ...mark: number[]) => mark.every((byte, at) => bytes[at] === byte);

/** A NUL in every second byte: UTF-16 without a mark. */
function looksLikeUtf16(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, 400);
  const zeros = sample.filter((byte, at) => at % 2 === 1 && byte === 0).length;
  return sample.length >= 8 && zeros > sample.length / 4;
}

function isValid(bytes: Uint8Array, encoding: Encoding): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/**
 * The encoding that a text file is in. What is valid UTF-8 is UTF-8; what is not was most likely saved by a Chinese
 * Excel, in GBK (of which GB 18030 is the superset that browsers know).
 */
export function detectEncoding(bytes: Uint8Array): Encoding {
  if (startsWith(bytes, 0xef, 0xbb, 0xbf)) return 'utf-8';
  if (startsWith(bytes, 0xff, 0xfe) || looksLikeUtf16(bytes)) return 'utf-16le';
  if (isValid(bytes, 'utf-8')) return 'utf-8';
  return isValid(bytes, 'gb18030') ? 'gb18030' : 'windows-1252';
}

/** The text, without the byte order mark; bytes that mean nothing become U+FFFD. */
export const decodeText = (bytes: Uint8Array, encoding: Encoding): string => new TextDecoder(encoding).decode(bytes);
