import { Inflate } from 'fflate';
import { FileProblem } from './sheet';

/** What all parts of a workbook that are read may unpack to. 5,000 full rows need a tenth. */
export const UNPACKED_BYTES_MAX = 48 * 1024 * 1024;
const PARTS_MAX = 2_000;
/** Deflate makes at most 1,032 bytes of one: each step unpacks 4 MB at most before it is weighed. */
const STEP_BYTES = 4_096;

const END = 0x06054b50;
const END_BYTES = 22;
const COMMENT_BYTES_MAX = 0xffff;
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;

interface Part {
  readonly method: number;
  readonly packedBytes: number;
  readonly at: number;
}

/** A ZIP file whose parts are unpacked when they are asked for. */
export interface Archive {
  has(name: string): boolean;
  /** Empty when there is no such part. Throws FileProblem. */
  read(name: string): Uint8Array;
}

/**
 * Opens a ZIP file (APPNOTE 4.3). Sizes that it states are not believed: what comes out is weighed as it comes, over
 * all parts together. Throws FileProblem.
 */
export function openArchive(bytes: Uint8Array, unpackedBytesMax = UNPACKED_BYTES_MAX): Archive {
  const parts = readDirectory(bytes);
  let left = unpackedBytesMax;
  return {
    has: (name) => parts.has(name),
    read(name) {
      const part = parts.get(name);
      if (!part) return new Uint8Array();
      const whole = unpack(bytes, part, left, unpackedBytesMax);
      left -= whole.length;
      return whole;
    },
  };
}

function readDirectory(bytes: Uint8Array): Map<string, Part> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts = new Map<string, Part>();
  try {
    let end = bytes.length - END_BYTES;
    const lowest = Math.max(0, end - COMMENT_BYTES_MAX);
    while (end >= lowest && view.getUint32(end, true) !== END) end--;
    if (end < lowest) throw new FileProblem('DAMAGED');
    const count = view.getUint16(end + 10, true);
    if (count > PARTS_MAX) throw new FileProblem('DAMAGED');
    let at = view.getUint32(end + 16, true);
    for (let index = 0; index < count; index++) {
      if (view.getUint32(at, true) !== ENTRY) throw new FileProblem('DAMAGED');
      const nameBytes = view.getUint16(at + 28, true);
      const name = new TextDecoder().decode(bytes.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes));
      parts.set(name.replace(/^\//, ''), {
        method: view.getUint16(at + 10, true),
        packedBytes: view.getUint32(at + 20, true),
        at: view.getUint32(at + 42, true),
      });
      at += ENTRY_BYTES + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    }
  } catch (error) {
    // A DataView throws where the file ends too soon.
    throw error instanceof RangeError ? new FileProblem('DAMAGED') : error;
  }
  return parts;
}

function unpack(bytes: Uint8Array, part: Part, left: number, maximum: number): Uint8Array {
  if (part.at + LOCAL_BYTES > bytes.length) throw new FileProblem('DAMAGED');
  const view = new DataView(bytes.buffer, bytes.byteOffset + part.at, LOCAL_BYTES);
  const start = part.at + LOCAL_BYTES + view.getUint16(26, true) + view.getUint16(28, true);
  const packed = bytes.subarray(start, start + part.packedBytes);
  if (packed.length < part.packedBytes) throw new FileProblem('DAMAGED');
  const chunks: Uint8Array[] = [];
  let unpacked = 0;
  const take = (chunk: Uint8Array) => {
    unpacked += chunk.length;
    if (unpacked > left) throw new FileProblem('UNPACKED_TOO_LARGE', { maximum: maximum / 1024 / 1024 });
    chunks.push(chunk);
  };
  if (part.method === STORED) take(packed);
  else if (part.method === DEFLATED) inflate(packed, take);
  else throw new FileProblem('DAMAGED');
  return join(chunks, unpacked);
}

function inflate(packed: Uint8Array, take: (chunk: Uint8Array) => void): void {
  const stream = new Inflate(take);
  try {
    for (let at = 0; at < packed.length; at += STEP_BYTES)
      stream.push(packed.subarray(at, at + STEP_BYTES), at + STEP_BYTES >= packed.length);
  } catch (error) {
    throw error instanceof FileProblem ? error : new FileProblem('DAMAGED');
  }
}

function join(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
