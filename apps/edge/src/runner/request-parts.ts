import * as ffi from 'ffi';
import { get_request } from 'resty.core.base';
import { visitorDescriptor } from './native.ts';
import { numberAt, wordAt, wordsOf } from './native-request.ts';

/**
 * Texts of a request from nginx's own structures: a variable that is found by its name costs several times as much. Where they stand
 * is looked for in a request, by the very places in memory that nginx's variables give; where it is not found, they are asked for ever.
 */
const FIRST_WORD = 13;
const LAST_WORD = 200;
const CONNECTION_LAST_WORD = 20;
/** Of `ngx_str_t uri, args, exten, unparsed_uri`, from the first to the last. */
const TARGET_AFTER_PATH = 6;
/** Requests whose texts are compared with what the variables say, before these are asked no more. */
const COMPARED_REQUESTS = 20;

const places = { host: -1, path: -1, target: -1, peer: -1 };
const trial = { isOver: false, isTrusted: false, compared: 0 };

const textType = ffi.typeof<NativePlacedText>('cordon_text_t *');
const numberType = ffi.typeof<object>('uintptr_t');
const valuePlace = ffi.new<NativePlaces>('unsigned char *[1]');
const valueLength = ffi.new<NativeInteger>('size_t[1]');
const failure = ffi.new<NativePlaces>('char *[1]');
const NAME_BYTES_MAX = 32;
const lowerCase = ffi.new<NativeBytes>(`char[${NAME_BYTES_MAX}]`);

interface Found {
  readonly length: number;
  readonly place: number;
}

/** Where nginx has the text of a variable that it does not copy. */
function placeOfVariable(request: NativeRequest, name: string): Found | undefined {
  const outcome = ffi.C.ngx_http_lua_ffi_var_get(
    request,
    name,
    name.length,
    lowerCase,
    0,
    valuePlace,
    valueLength,
    failure,
  );
  if (outcome !== 0) return undefined;
  const place = tonumber(ffi.cast(numberType, valuePlace[0]) as never) as number;
  return { length: tonumber(valueLength[0] as never) as number, place };
}

function isAt(words: NativeWords, at: number, found: Found): boolean {
  return numberAt(words, at) === found.length && numberAt(words, at + 1) === found.place;
}

/** False: the structures are not as known. */
function findPlaces(request: NativeRequest): boolean {
  const host = placeOfVariable(request, 'host');
  const path = placeOfVariable(request, 'uri');
  const target = placeOfVariable(request, 'request_uri');
  const peer = placeOfVariable(request, 'remote_addr');
  if (host === undefined || path === undefined || target === undefined || peer === undefined) return false;
  const words = wordsOf(request);
  for (let at = FIRST_WORD; at < LAST_WORD && places.path < 0; at++) {
    if (places.host < 0 && isAt(words, at, host)) places.host = at;
    if (isAt(words, at, path) && isAt(words, at + TARGET_AFTER_PATH, target)) places.path = at;
  }
  places.target = places.path + TARGET_AFTER_PATH;
  const connection = wordsOf(connectionOf(request));
  for (let at = 0; at < CONNECTION_LAST_WORD && places.peer < 0; at++) if (isAt(connection, at, peer)) places.peer = at;
  return places.host >= 0 && places.path >= 0 && places.peer >= 0;
}

const headType = ffi.typeof<NativeRequestHead>('cordon_request_t *');
const connectionOf = (request: NativeRequest): NativeConnection => ffi.cast(headType, request).connection;

function textAt(structure: NativeRequest | NativeConnection, at: number): string {
  const text = ffi.cast(textType, wordAt(structure, at));
  return ffi.string(text.data, text.length);
}

const requestText = (at: number): string => textAt(get_request() as NativeRequest, at);

function isAsKnown(request: NativeRequest): boolean {
  if (visitorDescriptor(request) === undefined) return false;
  if (places.path < 0 && !findPlaces(request)) return false;
  return (
    requestText(places.host) === (ngx.var.host ?? '') &&
    requestText(places.path) === (ngx.var.uri ?? '') &&
    requestText(places.target) === (ngx.var.request_uri ?? '') &&
    textAt(connectionOf(request), places.peer) === (ngx.var.remote_addr ?? '')
  );
}

function compareOne(): void {
  trial.compared++;
  if (!isAsKnown(get_request() as NativeRequest)) {
    trial.isOver = true;
    ngx.log(ngx.ERR, 'texts of requests are asked for by name: nginx is not as known');
  } else if (trial.compared === COMPARED_REQUESTS) {
    trial.isOver = true;
    trial.isTrusted = true;
  }
}

/** To be called in each request that has a host, before the texts are read. */
export function learnParts(): void {
  if (!trial.isOver && (ngx.var.host ?? '') !== '') compareOne();
}

/** `$host`; empty when there is none. */
export const readHost = (): string => (trial.isTrusted ? requestText(places.host) : (ngx.var.host ?? ''));

/** `$uri`. */
export const readPath = (): string => (trial.isTrusted ? requestText(places.path) : (ngx.var.uri ?? ''));

/** `$request_uri`. */
export const readTarget = (): string => (trial.isTrusted ? requestText(places.target) : (ngx.var.request_uri ?? ''));

/** `$remote_addr`. */
export const readPeer = (): string =>
  trial.isTrusted ? textAt(connectionOf(get_request() as NativeRequest), places.peer) : (ngx.var.remote_addr ?? '');
