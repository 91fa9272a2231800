import { randomDigits } from './native.ts';

/** A picture with a gap, and the piece that fills it; each a PNG (RFC 2083) of sixteen colours. */
export interface PuzzlePicture {
  /** Pixels from the left edge to the gap. */
  readonly gap: number;
  /** Pixels from the upper edge to the gap, and to the piece. */
  readonly top: number;
  readonly picture: string;
  readonly piece: string;
}

export const PICTURE_WIDTH = 280;
export const PICTURE_HEIGHT = 140;
export const PIECE_SIZE = 44;
/** The gap is never so far to the left that nothing need be moved. */
const GAP_MIN = 70;
const MARGIN = 6;
const COLOURS = 16;
/** Of the picture; the rest is the edge of gap and piece. */
const SHADES = 15;
const EDGE = 15;
const GAP_DARKER = 6;

const word = (value: number): string =>
  string.char(
    Math.floor(value / 16777216),
    Math.floor(value / 65536) % 256,
    Math.floor(value / 256) % 256,
    value % 256,
  );

const chunk = (kind: string, data: string): string =>
  word(data.length) + kind + data + word(ngx.crc32_long(kind + data));

/** From a dark to a light blue, and white. */
function palette(): string {
  let colours = '';
  for (let shade = 0; shade < SHADES; shade++)
    colours += string.char(20 + shade * 12, 40 + shade * 13, 90 + shade * 10);
  return colours + string.char(255, 255, 255);
}

/** RFC 1950 9. */
function adler32(text: string): number {
  let a = 1;
  let b = 0;
  for (let at = 0; at < text.length; at++) {
    a = (a + text.charCodeAt(at)) % 65521;
    b = (b + a) % 65521;
  }
  return b * 65536 + a;
}

/** Two pixels to a byte; stored as they are (RFC 1951 3.2.4), as compressing them here would cost more than sending them. */
function png(width: number, height: number, shadeAt: (this: void, x: number, y: number) => number): string {
  const rows: string[] = [];
  for (let y = 0; y < height; y++) {
    rows.push(string.char(0));
    for (let x = 0; x < width; x += 2) rows.push(string.char(shadeAt(x, y) * COLOURS + shadeAt(x + 1, y)));
  }
  const data = table.concat(rows);
  const length = data.length;
  const size = string.char(
    length % 256,
    Math.floor(length / 256),
    255 - (length % 256),
    255 - Math.floor(length / 256),
  );
  return (
    string.char(137, 80, 78, 71, 13, 10, 26, 10) +
    chunk('IHDR', word(width) + word(height) + string.char(4, 3, 0, 0, 0)) +
    chunk('PLTE', palette()) +
    chunk('IDAT', string.char(120, 1, 1) + size + data + word(adler32(data))) +
    chunk('IEND', '')
  );
}

/** A new one; undefined when there are no random numbers. */
export function drawPuzzle(): PuzzlePicture | undefined {
  const random = randomDigits();
  if (random === undefined) return undefined;
  // Four hex digits each.
  const pick = (at: number): number => tonumber(string.sub(random, at * 4 + 1, at * 4 + 4), 16) ?? 0;
  const between = (at: number, from: number, to: number): number => from + (pick(at) % (to - from + 1));
  const gap = between(0, GAP_MIN, PICTURE_WIDTH - PIECE_SIZE - MARGIN);
  const top = between(1, MARGIN, PICTURE_HEIGHT - PIECE_SIZE - MARGIN);
  const [wide, high, across] = [30 + (pick(2) % 40), 20 + (pick(3) % 30), 15 + (pick(4) % 20)];
  const [shift, more] = [pick(5) / 1000, pick(6) / 1000];
  let noise = pick(7) + 1;
  const shades: number[] = [];
  for (let y = 0; y < PICTURE_HEIGHT; y++) {
    for (let x = 0; x < PICTURE_WIDTH; x++) {
      // Lehmer's generator: each pixel a little off, so that no edge is found by a difference alone.
      noise = (noise * 48271) % 2147483647;
      const wave = Math.sin(x / wide + shift) * 3 + Math.sin(y / high + more) * 2 + Math.sin((x + y) / across) * 1.5;
      shades.push(Math.max(0, Math.min(SHADES - 1, Math.floor(8 + wave + (noise % 5) - 2))));
    }
  }
  const shadeAt = (x: number, y: number): number => shades[y * PICTURE_WIDTH + x] as number;
  const isEdge = (x: number, y: number): boolean => x === 0 || y === 0 || x === PIECE_SIZE - 1 || y === PIECE_SIZE - 1;
  return {
    gap,
    top,
    picture: png(PICTURE_WIDTH, PICTURE_HEIGHT, (x, y) => {
      const [inX, inY] = [x - gap, y - top];
      if (inX < 0 || inY < 0 || inX >= PIECE_SIZE || inY >= PIECE_SIZE) return shadeAt(x, y);
      return Math.max(0, shadeAt(x, y) - GAP_DARKER);
    }),
    piece: png(PIECE_SIZE, PIECE_SIZE, (x, y) => (isEdge(x, y) ? EDGE : shadeAt(gap + x, top + y))),
  };
}
