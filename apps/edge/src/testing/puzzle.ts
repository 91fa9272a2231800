import { inflateSync } from 'node:zlib';

interface Pixels {
  readonly width: number;
  readonly height: number;
  at(x: number, y: number): number;
}

/** Reads a PNG of 4 bits a pixel without filters: a real decoder of zlib, so that its checksum counts. */
function readPng(base64: string): Pixels {
  const file = Buffer.from(base64, 'base64');
  const width = file.readUInt32BE(16);
  const height = file.readUInt32BE(20);
  const start = file.indexOf('IDAT');
  const data = inflateSync(file.subarray(start + 4, start + 4 + file.readUInt32BE(start - 4)));
  const row = width / 2 + 1;
  return {
    width,
    height,
    at: (x, y) => {
      const byte = data[y * row + 1 + Math.floor(x / 2)] ?? 0;
      return x % 2 === 0 ? byte >> 4 : byte & 15;
    },
  };
}

/** Where a piece fits best, as somebody sees it: the gap shows what the piece shows, only darker. */
export const findGap = (picture: string, piece: string, top: number): number =>
  findGaps(picture, piece, top)[0] as number;

/** All places where it fits equally well: in a gap that is all dark, some pixels beside each other. */
export function findGaps(picture: string, piece: string, top: number): number[] {
  const [whole, part] = [readPng(picture), readPng(piece)];
  const misfit = (left: number) => {
    let sum = 0;
    for (let y = 1; y < part.height - 1; y++)
      for (let x = 1; x < part.width - 1; x++)
        sum += Math.abs(Math.max(0, part.at(x, y) - 6) - whole.at(left + x, top + y));
    return sum;
  };
  const misfits = Array.from({ length: whole.width - part.width + 1 }, (_, left) => misfit(left));
  const least = Math.min(...misfits);
  return misfits.flatMap((sum, left) => (sum === least ? [left] : []));
}
