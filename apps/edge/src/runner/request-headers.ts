import { isForwardingField, withFieldValue } from '@cordon/plugin-kit/request-fields';
import * as ffi from 'ffi';
import { get_request } from 'resty.core.base';

/** More fields than any browser sends; nginx bounds only their bytes. */
const FIELDS_MAX = 200;
const fields = ffi.new<NativeHeaders>('ngx_http_lua_ffi_table_elt_t[?]', FIELDS_MAX);
const truncated = ffi.new<NativeInteger>('int[1]');

/** More than any client names in `Connection`: each option costs a look for a field of that name. */
const CONNECTION_BYTES_MAX = 500;

/** A buffer of HTTP/1's (`large_client_header_buffers`), in which a line stands whole; nginx knows no such bound for HTTP/2. */
export const HEAD_LINE_BYTES_MAX = 16_384;

const HYPHEN = 45;

/** What one look over the header fields of a request found. */
export interface HeaderScan {
  /** There are too many fields to look at, or options in `Connection`. */
  isTooLong: boolean;
  /** A field is longer than HTTP/1 has room for. */
  hasLongField: boolean;
  /** Some field is for us only (`Cordon-*`). */
  hasInternal: boolean;
  /** Some field is not to reach the origin: one of ours, or one by which a hop steers the next. */
  hasUnwanted: boolean;
  hasCdnLoop: boolean;
  hasUpgrade: boolean;
  /** A field says that there is a body. */
  hasBody: boolean;
  /** `Connection` names more than `close` and `keep-alive`. */
  hasConnectionOptions: boolean;
  hasNoneMatch: boolean;
  hasModifiedSince: boolean;
  /** A field asks for another method than the request's own. */
  hasMethodOverride: boolean;
  /** If-Match or If-Unmodified-Since, which only origins judge (RFC 9111 4.3.2). */
  hasOriginCondition: boolean;
  hasRange: boolean;
}

/** One object per worker: it is read before the request can yield. */
const scan: HeaderScan = {
  isTooLong: false,
  hasLongField: false,
  hasInternal: false,
  hasUnwanted: false,
  hasCdnLoop: false,
  hasUpgrade: false,
  hasBody: false,
  hasConnectionOptions: false,
  hasNoneMatch: false,
  hasModifiedSince: false,
  hasMethodOverride: false,
  hasOriginCondition: false,
  hasRange: false,
};

function nameOf(name: NativeText): string {
  return string.lower(ffi.string(name.data, name.len));
}

/** Whether a name of that many bytes is the one given, in any case: no text is made for what nearly every request has. */
const isNamed = (name: NativeText, text: string): boolean => ffi.C.strncasecmp(name.data, text, text.length) === 0;

/** `keep-alive` and `close`, recognised by length and first letter: an option of a visitor's own would only stay on. */
function isPlainConnection(value: NativeText): boolean {
  const first = value.len > 0 ? (value.data[0] as number) | 32 : 0;
  return (value.len === 10 && first === 107) || (value.len === 5 && first === 99);
}

const ZERO = 48;
let connectionBytes = 0;

/** Where fields stand that plugins mostly ask for, and how many of each there are, of the request that was looked over last. */
const places = { agent: -1, agents: 0, cookie: -1, cookies: 0, encoding: -1, encodings: 0 };
/** In place of a number: the field has to be looked for. */
const UNKNOWN = 2;

/** To be called when fields of the request are changed: what stands behind one that is gone stands elsewhere then. */
export function forgetPlaces(): void {
  places.agents = UNKNOWN;
  places.cookies = UNKNOWN;
  places.encodings = UNKNOWN;
}

/** Fields that begin with c: Cookie, Cordon-*, Client-IP, CF-*, CDN-Loop, Connection, Content-Length. */
function scanFieldWithC(name: NativeText, value: NativeText, at: number): void {
  const length = name.len;
  if (length === 6) {
    if (isNamed(name, 'cookie')) {
      places.cookie = at;
      places.cookies++;
    }
  } else if (length > 6 && name.data[6] === HYPHEN) {
    const text = nameOf(name);
    if (string.sub(text, 1, 7) === 'cordon-') {
      scan.hasInternal = true;
      scan.hasUnwanted = true;
    } else if (isForwardingField(text)) scan.hasUnwanted = true;
  } else if (name.data[2] === HYPHEN) {
    if (isForwardingField(nameOf(name))) scan.hasUnwanted = true;
  } else if (length === 8 && name.data[3] === HYPHEN) {
    if (nameOf(name) === 'cdn-loop') scan.hasCdnLoop = true;
  } else if (length === 14 && name.data[7] === HYPHEN) {
    // Nothing but nothing begins with a zero, where lengths are written as everyone does; any other is looked at again.
    if (nameOf(name) === 'content-length' && !(value.len === 1 && value.data[0] === ZERO)) scan.hasBody = true;
  } else if (length === 10 && !isPlainConnection(value)) {
    if (nameOf(name) === 'connection') {
      scan.hasConnectionOptions = true;
      connectionBytes += value.len;
      if (connectionBytes > CONNECTION_BYTES_MAX) scan.isTooLong = true;
    }
  }
}

const isSteering = (name: string): boolean => string.sub(name, 1, 8) === 'x-accel-';

/**
 * Whether a field that begins with `x-`, of that third letter and length, may be one of `FORWARDING_FIELDS` or X-Accel-*: no text is
 * made of most others.
 */
function isSuspect(third: number, length: number): boolean {
  if (third === 97 || third === 102 || third === 111) return true;
  if (third === 98) return length === 14;
  if (third === 99) return length === 11 || length === 19;
  if (third === 101) return length === 21 || length === 24;
  if (third === 104) return length === 6 || length === 13 || length === 15 || length === 20;
  if (third === 105) return length > 12 && length < 16;
  if (third === 109) return length > 13;
  if (third === 110) return length > 11 && length < 20;
  if (third === 112) return length === 12 || length === 14 || length === 22;
  if (third === 114) return length === 11 || length === 13 || length === 14 || length === 23 || length === 29;
  if (third === 115) return length === 8 || length === 13 || length === 15;
  if (third === 116) return length === 9;
  return third === 117 && length === 12;
}

/** Whether a name that begins with `x-`, of that third letter and length, is one of those by which frameworks take another method. */
function isMethodOverride(name: NativeText, third: number): boolean {
  if (third === 104)
    return name.len === 22
      ? isNamed(name, 'x-http-method-override')
      : name.len === 13 && isNamed(name, 'x-http-method');
  return third === 109 && name.len === 17 && isNamed(name, 'x-method-override');
}

/** Fields that begin with `x-`. */
function scanFieldWithX(name: NativeText): void {
  if (isMethodOverride(name, (name.data[2] as number) | 32)) scan.hasMethodOverride = true;
  if (!isSuspect((name.data[2] as number) | 32, name.len)) return;
  const text = nameOf(name);
  if (isSteering(text) || isForwardingField(text)) scan.hasUnwanted = true;
}

/** Has nginx list the fields; how many there are, -1 for too many. */
function listFields(): number {
  const request = get_request() as NativeRequest;
  const count = ffi.C.ngx_http_lua_ffi_req_get_headers_count(request, FIELDS_MAX, truncated);
  if (truncated[0] !== 0) return -1;
  if (count > 0) ffi.C.ngx_http_lua_ffi_req_get_headers(request, fields, count, 1);
  return count;
}

/** Looks over all fields without copying any, so that ordinary requests pay next to nothing. */
export function scanHeaders(): HeaderScan {
  // A function of its own, because LuaJIT would not compile the calls of C together with a loop.
  const count = listFields();
  scan.isTooLong = count < 0;
  scan.hasLongField = false;
  scan.hasInternal = false;
  scan.hasUnwanted = false;
  scan.hasCdnLoop = false;
  scan.hasUpgrade = false;
  scan.hasBody = false;
  scan.hasConnectionOptions = false;
  connectionBytes = 0;
  places.agents = 0;
  places.cookies = 0;
  places.encodings = 0;
  scan.hasNoneMatch = false;
  scan.hasModifiedSince = false;
  scan.hasMethodOverride = false;
  scan.hasOriginCondition = false;
  scan.hasRange = false;
  for (let at = 0; at < count; at++) {
    const field = fields[at] as { key: NativeText; value: NativeText };
    const name = field.key;
    if (name.len + field.value.len > HEAD_LINE_BYTES_MAX) scan.hasLongField = true;
    if (name.len > 2) {
      const first = (name.data[0] as number) | 32;
      if (first === 99) scanFieldWithC(name, field.value, at);
      else if (first === 120 && name.data[1] === HYPHEN) scanFieldWithX(name);
      else if (first === 117 && name.len === 7 && nameOf(name) === 'upgrade') scan.hasUpgrade = true;
      else if (first === 117 && name.len === 10 && isNamed(name, 'user-agent')) {
        places.agent = at;
        places.agents++;
      } else if (first === 97 && name.len === 15 && isNamed(name, 'accept-encoding')) {
        places.encoding = at;
        places.encodings++;
      } else if (first === 105) {
        if (name.len === 13 && isNamed(name, 'if-none-match')) scan.hasNoneMatch = true;
        else if (name.len === 17 && isNamed(name, 'if-modified-since')) scan.hasModifiedSince = true;
        else if (name.len === 8 && isNamed(name, 'if-match')) scan.hasOriginCondition = true;
        else if (name.len === 19 && isNamed(name, 'if-unmodified-since')) scan.hasOriginCondition = true;
      } else if (first === 114) {
        if (name.len === 5 && isNamed(name, 'range')) scan.hasRange = true;
      } else if (first === 116) {
        if (name.len === 17 && nameOf(name) === 'transfer-encoding') scan.hasBody = true;
        else if (name.len === 14 && isForwardingField(nameOf(name))) scan.hasUnwanted = true;
        else if (name.len === 9 && isNamed(name, 'translate')) scan.hasMethodOverride = true;
      } else if (first === 102 && name.len > 12 && isForwardingField(nameOf(name))) scan.hasUnwanted = true;
      else if (first === 112 && name.len === 15 && isForwardingField(nameOf(name))) scan.hasUnwanted = true;
      else if (first === 119 && name.len === 18 && isForwardingField(nameOf(name))) scan.hasUnwanted = true;
      else if (first === 115 && (name.len === 20 || name.len === 13) && isForwardingField(nameOf(name)))
        scan.hasUnwanted = true;
      else if (first === 98 && name.len === 8 && isForwardingField(nameOf(name))) scan.hasUnwanted = true;
    }
  }
  return scan;
}

function valueAt(name: string, at: number): string {
  const { value } = fields[at] as { value: NativeText };
  return withFieldValue(name, undefined, ffi.string(value.data, value.len));
}

/** What plugins get of the fields of a name in lower case (`EdgeContext.header`). nginx's variables know the first only. */
export function readHeader(name: string): string | undefined {
  let value: string | undefined;
  const count = listFields();
  for (let at = 0; at < count; at++) {
    const field = fields[at] as { key: NativeText; value: NativeText };
    if (field.key.len === name.length && nameOf(field.key) === name)
      value = withFieldValue(name, value, ffi.string(field.value.data, field.value.len));
  }
  return value;
}

/** What plugins get of each field of a name in lower case (`EdgeContext.headerValues`). */
export function readHeaderValues(name: string): string[] {
  if (name === 'cookie') {
    const cookies = readHeader(name);
    return cookies === undefined ? [] : [cookies];
  }
  return readHeaderLines(name);
}

/** The value of each line of a name in lower case, as it came. */
export function readHeaderLines(name: string): string[] {
  const values: string[] = [];
  const count = listFields();
  for (let at = 0; at < count; at++) {
    const field = fields[at] as { key: NativeText; value: NativeText };
    if (field.key.len === name.length && nameOf(field.key) === name)
      values.push(withFieldValue(name, undefined, ffi.string(field.value.data, field.value.len)));
  }
  return values;
}

/** `readHeader('cookie')` of the very request that was looked over last, as long as nothing has waited since. */
export function readScannedCookie(): string | undefined {
  if (places.cookies > 1) return readHeader('cookie');
  return places.cookies === 0 ? undefined : valueAt('cookie', places.cookie);
}

const oneAgent = [''];
const NO_AGENT: readonly string[] = [];

/** The same of `readHeaderValues('user-agent')`. What it answers is another request's soon. */
export function readScannedAgents(): readonly string[] {
  if (places.agents > 1) return readHeaderValues('user-agent');
  if (places.agents === 0) return NO_AGENT;
  oneAgent[0] = valueAt('user-agent', places.agent);
  return oneAgent;
}

/** `Accept-Encoding` likewise; empty where there is none. */
export function readScannedEncoding(): string {
  if (places.encodings > 1) return readHeader('accept-encoding') ?? '';
  return places.encodings === 0 ? '' : valueAt('accept-encoding', places.encoding);
}

/** Removes what `hasUnwanted` found. Fields that nginx.conf overwrites anyway go as well. */
export function removeUnwanted(): void {
  forgetPlaces();
  for (const [name] of ngx.req.get_headers(0, true)) {
    const text = string.lower(name);
    if (string.sub(text, 1, 7) === 'cordon-' || isSteering(text) || isForwardingField(text)) ngx.req.clear_header(name);
  }
}

/** End-to-end fields that a visitor cannot have removed by naming them in `Connection`. */
const keptFields = new LuaSet<string>();
for (const name of ['host', 'cookie', 'authorization', 'content-length', 'content-type', 'cdn-loop', 'range', 'accept'])
  keptFields.add(name);

/** Removes the fields that `Connection` declares to be for this hop only (RFC 9110 7.6.1). */
export function removeConnectionOptions(): void {
  forgetPlaces();
  for (const option of (readHeader('connection') ?? '').split(',')) {
    const name = option.trim().toLowerCase();
    if (name !== '' && name !== 'close' && name !== 'keep-alive' && name !== 'upgrade' && !keptFields.has(name))
      ngx.req.clear_header(name);
  }
}
