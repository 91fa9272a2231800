import { BODY_BYTES_MAX, BODY_VALUES_MAX } from '@cordon/contract';
import type { FastifyInstance } from 'fastify';
import { AppError } from './errors.ts';
import { inTurn } from './turns.ts';

/** How deep objects and lists may lie in each other; the deepest that an operation takes has twelve levels. */
const DEPTH_MAX = 32;
/** Fields of one object: no operation takes a hundred, and of those that it does not know each would be named. */
export const FIELDS_MAX = 500;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const SHAPE_MESSAGES = {
  'too deep': `Objects and lists may lie in each other ${DEPTH_MAX} deep.`,
  'too many values': 'A body may not have so many values.',
  'too many fields': `An object may have ${FIELDS_MAX} fields.`,
};

/** Where the string that begins at `start` ends: its closing quote, or the end of the text. */
function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at++;
  }
  return bytes.length;
}

/** Why a JSON text would cost too much to be parsed; undefined where it does not, well-formed or not. */
export function shapeFault(bytes: Buffer, valuesMax = BODY_VALUES_MAX): keyof typeof SHAPE_MESSAGES | undefined {
  let depth = 0;
  let values = 0;
  /** Of the object, or list, at each depth; only an object's fields have colons. */
  const fields = new Uint32Array(DEPTH_MAX + 1);
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    // { and [, whose codes differ in one bit, as those of } and ] do.
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > DEPTH_MAX) return 'too deep';
      fields[depth] = 0;
    } else if (byte === 0x3a) {
      const count = (fields[depth] ?? 0) + 1;
      if (count > FIELDS_MAX) return 'too many fields';
      fields[depth] = count;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
    else if (byte === 0x2c && ++values > valuesMax) return 'too many values';
  }
  return undefined;
}

/** Reads bodies as Fastify does, but only those of a shape that does not hold the event loop. */
export function bindJsonParser(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (req, body: Buffer, done) => {
    const read = (inTurnOrNow: (work: () => void) => unknown) => {
      const fault = shapeFault(body, req.routeOptions.config.operation?.bodyValuesMax);
      if (fault !== undefined)
        return void done(new AppError('PAYLOAD_TOO_LARGE', { message: SHAPE_MESSAGES[fault] }), undefined);
      inTurnOrNow(() => parse(req, body.toString('utf8'), (error, value) => inTurnOrNow(() => done(error, value))));
    };
    // What is large is looked at, parsed and checked in turns of the event loop of their own, those of several one after another.
    if (body.length > BODY_BYTES_MAX) void inTurn(() => read(inTurn));
    else read((work) => work());
  });
}
