import { get_request } from 'resty.core.base';
import type { AnswerHead, TakeInterim } from './answer-head.ts';
import { attempt } from './fault.ts';
import { type Http2Stream, isAwaitingAnswer, sendEarlyHints, streamOf } from './http2-interim.ts';

/**
 * Early Hints (RFC 8297) on their way from an origin to the visitor whose request it answers, and to nobody else. Over HTTP/2 only, as
 * browsers want it: clients of HTTP/1 take them for the answer, some of them. What comes by the fetching server is met by the worker that has
 * the visitor, which looks for it while the visitor waits.
 */

/** Further ones are left out. */
const BYTES_MAX = 8192;

/** The values of Link in an interim answer, which is all that browsers take from it; what is not text is left out. */
function linksOf({ status, fields }: AnswerHead): string[] {
  const links: string[] = [];
  let bytes = 0;
  for (const [name, value] of status === 103 ? fields : []) {
    const [control] = string.find(value, '%c');
    if (string.lower(name) === 'link' && value !== '' && control === undefined) {
      bytes += value.length;
      if (bytes > BYTES_MAX) return links;
      links.push(value);
    }
  }
  return links;
}

/** Browsers read hints of pages only, which they say. */
function canBeHinted(): boolean {
  const mode = ngx.var.http_sec_fetch_mode;
  return ngx.req.get_method() === 'GET' && (mode === undefined || mode === 'navigate');
}

function visitorStream(): Http2Stream | undefined {
  // Nothing of nginx's structures is looked into for the others.
  const request = ngx.var.http2 === 'h2' ? get_request() : undefined;
  return request === undefined ? undefined : streamOf(request);
}

/** What to do with each interim answer to the visitor's request, which is the current one. */
export function relayToVisitor(): TakeInterim {
  const stream = canBeHinted() ? visitorStream() : undefined;
  if (stream === undefined) return undefined;
  return (head) => {
    const links = linksOf(head);
    if (links.length > 0) sendEarlyHints(stream, links);
  };
}

/** By the id of a visitor's request. */
const told = ngx.shared.cordon_hints as SharedDict;
const hintsKey = (requestId: string): string => `hints ${requestId}`;
/** After this long they help nobody. */
const AWAITED_SECONDS = 10;

/** To be called by the fetching server, with each interim answer. */
export function tellHints(requestId: string, head: AnswerHead): void {
  const links = linksOf(head).join('\n');
  if (links === '') return;
  const key = hintsKey(requestId);
  const before = told.get(key) as string | undefined;
  const all = before === undefined ? links : `${before}\n${links}`;
  // What was not taken yet goes out as one.
  if (all.length <= BYTES_MAX) told.set(key, all, AWAITED_SECONDS);
}

function takeHints(requestId: string): string[] {
  const key = hintsKey(requestId);
  const links = told.get(key) as string | undefined;
  if (links === undefined) return [];
  told.delete(key);
  return links.split('\n');
}

interface Awaiting {
  readonly stream: Http2Stream;
  readonly requestId: string;
  readonly until: number;
}

let awaiting: Awaiting[] = [];
/** Of a worker; what comes for further visitors is not passed on. */
const AWAITING_MAX = 256;
const LOOK_SECONDS = 0.005;

/** Timers that were begun, of which the last one looks; and when it did (Unix seconds; 0: none does). */
let timers = 0;
let lookedAt = 0;
/** A timer that has not looked for so long has got no connection of nginx, and never will. */
const SILENT_SECONDS = 1;

function isStillAwaiting({ stream, requestId, until }: Awaiting): boolean {
  if (ngx.now() > until || !isAwaitingAnswer(stream)) return false;
  const links = takeHints(requestId);
  if (links.length > 0) sendEarlyHints(stream, links);
  return true;
}

function lookOnce(this: void): void {
  const all = awaiting;
  // Where one throws, all are given up: hints may be left out.
  awaiting = [];
  awaiting = all.filter(isStillAwaiting);
}

function look(this: void): void {
  const mine = ++timers;
  while (mine === timers && awaiting.length > 0 && !ngx.worker.exiting()) {
    lookedAt = ngx.now();
    ngx.sleep(LOOK_SECONDS);
    attempt(lookOnce);
  }
  if (mine === timers) lookedAt = 0;
}

/** False: there is no timer to be had. */
function beginLooking(): boolean {
  awaiting = [];
  const [isBegun] = ngx.timer.at(0, look);
  lookedAt = isBegun === undefined ? 0 : ngx.now();
  return isBegun !== undefined;
}

/** Of a visitor whose request goes to nginx's cache, and maybe from there to the fetching server. */
export function awaitHints(): void {
  const stream = canBeHinted() ? visitorStream() : undefined;
  if (stream === undefined) return;
  const isLooking = ngx.now() < lookedAt + SILENT_SECONDS || beginLooking();
  if (!isLooking || awaiting.length >= AWAITING_MAX) return;
  awaiting.push({ stream, requestId: ngx.var.cordon_request_id ?? '', until: ngx.now() + AWAITED_SECONDS });
}
