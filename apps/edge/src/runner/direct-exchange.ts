import { add_header } from 'ngx.resp';
import { leaveAsItIs, negotiateCoding, negotiateUnmodified } from './answer-coding.ts';
import type { AnswerHead, TakeInterim } from './answer-head.ts';
import { chooseTarget } from './balancer.ts';
import { invalidateByAnswer } from './cache-invalidation.ts';
import { relayToVisitor } from './hint-relay.ts';
import { setHsts } from './hsts.ts';
import { passFramed } from './origin-body.ts';
import { withheldBy } from './origin-fields.ts';
import { beginLines, type OriginReader, readerOf, readLine } from './origin-reader.ts';
import { noteHandshakeFailure, noteTlsFailure } from './origin-tls.ts';
import type { PreparedRoute, PreparedUpstream } from './prepared-route.ts';
import type { RequestState } from './request-state.ts';
import { readWholeBody } from './uploads.ts';
import { changesFor, setChanges } from './visitor-response.ts';

/**
 * One HTTP/1.1 exchange with an origin over a socket of our own, for origins whose answers nginx's proxy cannot read.
 * Streams the answer; request bodies are read first.
 */

/** Fields of the visitor's request that are not passed on; nginx.conf.template has the same list. */
const requestFieldsLeftOut = new LuaSet<string>();
for (const name of [
  ...['host', 'connection', 'upgrade', 'te', 'trailer', 'keep-alive', 'proxy', 'proxy-connection', 'http2-settings'],
  ...['transfer-encoding', 'content-length', 'expect', 'forwarded', 'x-forwarded-for', 'x-forwarded-proto'],
  ...['x-forwarded-host', 'x-forwarded-port', 'x-real-ip', 'x-request-id', 'cordon-country', 'cdn-loop'],
])
  requestFieldsLeftOut.add(name);

const responseFieldsLeftOut = new LuaSet<string>();
for (const name of [
  ...['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'trailer', 'te', 'proxy-connection'],
  ...['server', 'x-request-id', 'x-pad'],
])
  responseFieldsLeftOut.add(name);

const FIELDS_MAX = 200;
/** As the locations of nginx.conf have it. */
const BODY_BYTES_MAX = 8 * 1024 * 1024;
/** `proxy_buffer_size` of nginx.conf.template. */
const HEAD_BYTES_MAX = 16384;
const INTERIM_MAX = 10;
const LENGTH_DIGITS_MAX = 15;

function composeRequest(host: string, body: string | undefined): string {
  const variables = ngx.var;
  const method = ngx.req.get_method();
  // What is left out of the key reaches no origin (query-key.ts).
  const target = variables.cordon_fetch_target ?? '/';
  // An absolute target may have no path (RFC 9112 3.2.1).
  const lines = [`${method} ${target.startsWith('?') ? '/' : ''}${target} HTTP/1.1`, `Host: ${host}`];
  for (const [name, value] of ngx.req.get_headers(0, true)) {
    if (!requestFieldsLeftOut.has(string.lower(name))) {
      if (typeof value === 'string') lines.push(`${name}: ${value}`);
      else if (value !== true) for (const one of value) lines.push(`${name}: ${one}`);
    }
  }
  lines.push(`X-Forwarded-For: ${variables.cordon_client}`);
  lines.push(`X-Forwarded-Proto: ${variables.cordon_scheme}`);
  lines.push(`X-Forwarded-Host: ${variables.host}`);
  lines.push(`X-Real-IP: ${variables.cordon_client}`);
  lines.push(`X-Request-Id: ${variables.cordon_request_id}`);
  if (variables.cordon_country !== undefined && variables.cordon_country !== '')
    lines.push(`Cordon-Country: ${variables.cordon_country}`);
  lines.push(`CDN-Loop: ${variables.cordon_cdn_loop}`);
  if (body !== undefined) lines.push(`Content-Length: ${body.length}`);
  lines.push('Connection: close');
  lines.push('\r\n');
  return lines.join('\r\n') + (body ?? '');
}

function readHead(reader: OriginReader): AnswerHead | undefined {
  beginLines(reader);
  const statusLine = readLine(reader, HEAD_BYTES_MAX);
  if (statusLine === undefined) return undefined;
  const [, , digits] = string.find(statusLine, '^HTTP/1%.[01] ([1-9]%d%d)');
  if (digits === undefined) return undefined;
  const fields: [string, string][] = [];
  let bytesLeft = HEAD_BYTES_MAX - statusLine.length;
  while (true) {
    const line = readLine(reader, bytesLeft);
    if (line === undefined) return undefined;
    if (line === '') return { status: tonumber(digits) ?? 0, fields, isHinted: false };
    bytesLeft -= line.length;
    const [, , name, value] = string.find(line, "^([%w!#$%%&'*+.^_`|~-]+):[ \t]*(.*)$");
    if (name === undefined || value === undefined || fields.length >= FIELDS_MAX) return undefined;
    fields.push([name as string, trimEnd(value as string)]);
  }
}

/** By bytes: an expression would look at a long run of spaces once from each of them. */
function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && (string.byte(text, end) === SPACE || string.byte(text, end) === TAB)) end--;
  return string.sub(text, 1, end);
}
const SPACE = 32;
const TAB = 9;

/** Length of the body, or how its end is found; undefined when two readers could disagree about it (RFC 9112, 6.3). */
function framingOf(head: AnswerHead): number | 'chunked' | 'closed' | undefined {
  let length: string | undefined;
  let coding: string | undefined;
  for (const [name, value] of head.fields) {
    const lower = string.lower(name);
    if (lower === 'content-length') {
      if (length !== undefined) return undefined;
      length = value;
    } else if (lower === 'transfer-encoding') {
      if (coding !== undefined) return undefined;
      coding = string.lower(value);
    }
  }
  if (coding !== undefined) return coding === 'chunked' && length === undefined ? 'chunked' : undefined;
  if (length === undefined) return 'closed';
  const [digits] = string.match(length, '^%d+$');
  return digits === undefined || digits.length > LENGTH_DIGITS_MAX ? undefined : tonumber(digits);
}

/** Head of the final answer; undefined when the origin does not speak HTTP. */
function readFinalHead(reader: OriginReader, takeInterim: TakeInterim): AnswerHead | undefined {
  for (let interim = 0; interim < INTERIM_MAX; interim++) {
    const head = readHead(reader);
    // No request has asked for another protocol.
    if (head === undefined || head.status === 101) return undefined;
    if (head.status >= 200) {
      head.isHinted = interim > 0;
      return head;
    }
    if (takeInterim !== undefined) takeInterim(head);
  }
  return undefined;
}

/** Passes on the body of an answer; false when it does not come whole, or the visitor has gone. */
export function passBody({ reader, head, framing }: Exchange): boolean {
  if (ngx.req.get_method() === 'HEAD' || head.status === 204 || head.status === 304) return true;
  return passFramed(reader, framing);
}

function connect(
  route: PreparedRoute,
  upstream: PreparedUpstream,
  host: string,
  isTls: boolean,
): { socket: TcpSocket; address: string } | undefined {
  const state: RequestState = {};
  const port = chooseTarget(state, route, upstream, isTls);
  if (port === undefined || state.address === undefined) return undefined;
  const socket = ngx.socket.tcp();
  socket.settimeouts(
    upstream.connectTimeoutSeconds * 1000,
    upstream.sendTimeoutSeconds * 1000,
    upstream.readTimeoutSeconds * 1000,
  );
  const [isConnected] = socket.connect(state.address, port);
  if (isConnected === undefined) return undefined;
  if (upstream.protocol === 'https' || (isTls && upstream.protocol === 'http_https')) {
    if (upstream.isTlsRefused) {
      noteHandshakeFailure(undefined);
      return undefined;
    }
    const [isSecure, error] = socket.sslhandshake(false, host, upstream.isTlsVerified);
    if (isSecure === undefined) {
      if (upstream.isTlsVerified) noteHandshakeFailure(error);
      return undefined;
    }
    // A handshake that need not wait is said to be good even when the certificate was refused; but its socket is closed.
    const [uses] = socket.getreusedtimes();
    if (uses === undefined) {
      noteTlsFailure(route, isTls, `${state.address}:${port}`);
      return undefined;
    }
  }
  return { socket, address: `${state.address}:${port}` };
}

/** An exchange whose final head has come. */
export interface Exchange {
  readonly socket: TcpSocket;
  readonly reader: OriginReader;
  /** Of the origin, as `host:port`. */
  readonly address: string;
  readonly head: AnswerHead;
  readonly framing: number | 'chunked' | 'closed';
}

/** Sends the request to the origin and reads the head of its answer. Undefined: there is none that can be read. */
export function beginExchange(route: PreparedRoute, isTls: boolean, takeInterim: TakeInterim): Exchange | undefined {
  const upstream = route.upstream;
  if (upstream === undefined) return undefined;
  const host = upstream.originHost ?? ngx.var.host ?? '';
  const connected = connect(route, upstream, host, isTls);
  if (connected === undefined) return undefined;
  const { socket, address } = connected;
  socket.send(composeRequest(host, ngx.req.get_body_data()));
  const reader = readerOf(socket, upstream);
  const head = readFinalHead(reader, takeInterim);
  const framing = head === undefined ? undefined : framingOf(head);
  if (head === undefined || framing === undefined) {
    socket.close();
    return undefined;
  }
  return { socket, reader, address, head, framing };
}

/** Gives the answer its origin's status and fields, but for those that end here. */
export function setAnswerFields(head: AnswerHead): void {
  ngx.status = head.status;
  const withheld = new LuaSet<string>();
  for (const [name, value] of head.fields) {
    for (const other of withheldBy(string.lower(name), value)) withheld.add(other);
  }
  for (const [name, value] of head.fields) {
    const lower = string.lower(name);
    // RFC 9110 8.6: an answer without a body has no length.
    const isStray = lower === 'content-length' && head.status === 204;
    if (!isStray && !responseFieldsLeftOut.has(lower) && !withheld.has(lower)) add_header(name, value);
  }
}

/** For caches only, as nginx.conf.template has it. */
const CACHE_FIELDS = ['Cache-Tag', 'Surrogate-Key', 'Surrogate-Control'];

/** nginx would judge them itself, by the answer of an origin that has done so (`ngx_http_not_modified_filter`). */
const CONDITIONS = ['If-Match', 'If-None-Match', 'If-Modified-Since', 'If-Unmodified-Since', 'If-Range'];

/** To be called once the origin has been asked. */
export function forgetConditions(): void {
  for (const name of CONDITIONS) ngx.req.clear_header(name);
}

/** Answers the visitor with the origin's answer. With `failed`, nothing has been sent. */
export function sendDirectly(route: PreparedRoute, isTls: boolean): 'failed' | 'plain' | 'hinted' {
  const length = tonumber(ngx.var.http_content_length ?? '') ?? BODY_BYTES_MAX;
  if (!readWholeBody(length, () => true)) ngx.exec('@too_slow');
  // More than the buffer holds, which only a body without Content-Length (HTTP/2) can be here.
  if (ngx.req.get_body_file() !== undefined) ngx.exit(413);
  const exchange = beginExchange(route, isTls, relayToVisitor());
  if (exchange === undefined) return 'failed';
  const { socket, head } = exchange;
  setAnswerFields(head);
  for (const name of CACHE_FIELDS) ngx.header[name] = undefined;
  const ownPage = setChanges(changesFor(route, 'origin', head.status));
  setHsts(route);
  if (ownPage !== undefined) leaveAsItIs();
  else if (head.status === 304) negotiateUnmodified();
  else negotiateCoding();
  invalidateByAnswer();
  forgetConditions();
  if (ownPage !== undefined) {
    socket.close();
    if (ngx.req.get_method() !== 'HEAD') ngx.print(ownPage);
    return head.isHinted ? 'hinted' : 'plain';
  }
  const isWhole = passBody(exchange);
  socket.close();
  // A cut-off body must look cut off to the visitor.
  if (!isWhole) ngx.exit(ngx.ERROR);
  return head.isHinted ? 'hinted' : 'plain';
}
