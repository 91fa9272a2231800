import { get_request } from 'resty.core.base';
import { visitorDescriptor } from './native.ts';
import { numberAt, wordsOf } from './native-request.ts';

/**
 * The location whose answers pass through `filterBody`. Two entries into Lua for each answer cost too much where hardly one is
 * replaced, so that an answer is led there when its page is due and not before: as an internal redirect does, by
 * the word of the request that points to its location. Where it points is learned from a request that went there from the start.
 */
const SERVER_WORD = 4;
const LOCATION_WORD = 5;

interface PageLocation {
  readonly server: number;
  readonly location: object;
}

/** Of the server without and with TLS. */
const known: { plain: PageLocation | undefined; tls: PageLocation | undefined } = { plain: undefined, tls: undefined };
/** Whether an answer was led there, and whether its body has then passed through the filter: what follows its head at once. */
const trial = { isBegun: false, isProven: false, isFailed: false };

/** Whether answers of this server can be led there when they come. Else requests have to go there from the start. */
export const isPageLocationKnown = (isTls: boolean): boolean => (isTls ? known.tls : known.plain) !== undefined;

/** To be called in the header filter of a request that went there from the start. */
export function learnPageLocation(isTls: boolean): void {
  const request = get_request() as NativeRequest;
  if (trial.isFailed || isPageLocationKnown(isTls) || visitorDescriptor(request) === undefined) return;
  const words = wordsOf(request);
  const found = { server: numberAt(words, SERVER_WORD), location: words[LOCATION_WORD] as object };
  if (isTls) known.tls = found;
  else known.plain = found;
}

/** Where nginx is not as known, one answer goes wrong; after it, requests go there from the start again. */
function giveUp(): void {
  trial.isFailed = true;
  known.plain = undefined;
  known.tls = undefined;
  ngx.log(ngx.ERR, 'answers are not led to another location: nginx is not as known');
}

/** Leads an answer with a body there, in its header filter; false when that cannot be done. */
export function leadToPageLocation(isTls: boolean): boolean {
  const found = isTls ? known.tls : known.plain;
  if (found === undefined) return false;
  if (trial.isBegun && !trial.isProven) {
    giveUp();
    return false;
  }
  const words = wordsOf(get_request() as NativeRequest);
  if (numberAt(words, SERVER_WORD) !== found.server) return false;
  words[LOCATION_WORD] = found.location;
  trial.isBegun = true;
  return true;
}

/** To be called where the body of an answer that was led there passes through the filter. */
export function noteArrival(): void {
  trial.isProven = true;
}
