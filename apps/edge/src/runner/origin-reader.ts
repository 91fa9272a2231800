import type { PreparedUpstream } from './prepared-route.ts';

/**
 * What comes from an origin over a socket of our own. Lines have bounds of length and of time as a whole, however they are cut up;
 * pieces of bodies have the time of each read, as where nginx's proxy reads them.
 */
export interface OriginReader {
  readonly socket: TcpSocket;
  readonly upstream: PreparedUpstream;
  /** Has come; what was not asked for yet begins at `at`. */
  text: string;
  at: number;
  /** Lines and pieces that were asked for. */
  steps: number;
  /** Is called before more is waited for; false: no more is wanted. */
  beforeWaiting: () => boolean;
  /** Unix seconds until when the lines that are being read must be there; undefined: nothing of them has come. */
  endsAt: number | undefined;
  /** The origin has ended what it sends. */
  isEnded: boolean;
}

const PIECE_BYTES = 16384;
/** After so many, the worker goes on with what else it has to do: of an origin that is fast enough, there is always more to read. */
const STEPS_MAX = 100;
/** With 0, nginx would come back before it looks for what else there is. */
const PAUSE_SECONDS = 0.001;

export const readerOf = (socket: TcpSocket, upstream: PreparedUpstream): OriginReader => ({
  ...{ socket, upstream },
  ...{ text: '', at: 1, steps: 0, beforeWaiting: () => true, endsAt: undefined, isEnded: false },
});

function takeStep(reader: OriginReader): void {
  reader.steps++;
  if (reader.steps % STEPS_MAX === 0) ngx.sleep(PAUSE_SECONDS);
}

const isReadUp = ({ text, at }: OriginReader): boolean => at > text.length;

function receive(reader: OriginReader, seconds: number, bytesMax: number): string | undefined {
  const { connectTimeoutSeconds, sendTimeoutSeconds } = reader.upstream;
  const milliseconds = Math.ceil(seconds * 1000);
  // Zero would be no time-out.
  if (milliseconds <= 0 || !reader.beforeWaiting()) return undefined;
  reader.socket.settimeouts(connectTimeoutSeconds * 1000, sendTimeoutSeconds * 1000, milliseconds);
  const [piece, error] = reader.socket.receiveany(bytesMax);
  if (piece === undefined) reader.isEnded = error === 'closed';
  return piece;
}

/** Lines that belong together come next: once the first byte is there, they have as long as one read may take. */
export function beginLines(reader: OriginReader): void {
  reader.endsAt = isReadUp(reader) ? undefined : ngx.now() + reader.upstream.readTimeoutSeconds;
}

function receiveMore(reader: OriginReader): boolean {
  const { readTimeoutSeconds } = reader.upstream;
  const { endsAt } = reader;
  const seconds = endsAt === undefined ? readTimeoutSeconds : endsAt - ngx.now();
  const piece = receive(reader, seconds, PIECE_BYTES);
  if (piece === undefined) return false;
  if (endsAt === undefined) reader.endsAt = ngx.now() + readTimeoutSeconds;
  reader.text = string.sub(reader.text, reader.at) + piece;
  reader.at = 1;
  return true;
}

/** The next line, without its end; undefined when it is longer, not there in time, or no text of HTTP. */
export function readLine(reader: OriginReader, bytesMax: number): string | undefined {
  takeStep(reader);
  let from = reader.at;
  while (true) {
    const { text, at } = reader;
    const [end] = string.find(text, '\n', from, true);
    if ((end ?? text.length) - at + 1 > bytesMax) return undefined;
    if (end !== undefined) {
      reader.at = end + 1;
      const line = string.sub(text, at, string.byte(text, end - 1) === CARRIAGE_RETURN && end > at ? end - 2 : end - 1);
      return string.find(line, '[%z\r]')[0] === undefined ? line : undefined;
    }
    from = text.length - at + 2;
    if (!receiveMore(reader)) return undefined;
  }
}
const CARRIAGE_RETURN = 13;

/** What comes next, up to so many bytes; undefined when nothing does in time, or the origin has ended (`isEnded`). */
export function readPiece(reader: OriginReader, bytesMax = PIECE_BYTES): string | undefined {
  takeStep(reader);
  const { text, at, upstream } = reader;
  if (isReadUp(reader)) return receive(reader, upstream.readTimeoutSeconds, Math.min(bytesMax, PIECE_BYTES));
  reader.at = at + bytesMax;
  return string.sub(text, at, at + bytesMax - 1);
}
