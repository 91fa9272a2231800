import { type AnswerChanges, type AnswerSource, changesOfAnswer } from '@cordon/plugin-kit/pipeline';
import { add_header } from 'ngx.resp';
import { leaveAsItIs } from './answer-coding.ts';
import { currentGeneration } from './generation.ts';
import { setHsts } from './hsts.ts';
import { escapeHtml, requestUrl } from './page.ts';
import { isPageLocationKnown, leadToPageLocation, learnPageLocation, noteArrival } from './page-location.ts';
import type { PreparedRoute } from './prepared-route.ts';
import { passedRoute, placeOfRequest } from './request-state.ts';
import { REQUEST_URL, type ResponseField, type ResponsePage, responseChanges } from './response-changes.ts';
import { findBrand, settingsAt } from './settings.ts';
import { isJsonPreferred } from './visitor-preference.ts';

type Changes = AnswerChanges<ResponsePage, ResponseField>;
const NONE: Changes = { page: undefined, fields: [] };

/** The route's own page for this status; none for a program that asks for JSON, which has no use for one. */
function ownPageOf(route: PreparedRoute, status: number): ResponsePage | undefined {
  const page = route.errorPages?.get(status) as ResponsePage | undefined;
  if (page === undefined || !isJsonPreferred(ngx.var.http_accept)) return page;
  // People get another answer: whoever keeps this one keeps it for programs.
  add_header('Vary', 'Accept');
  return undefined;
}

/** What the route changes about an answer of this status. */
export function changesFor(route: PreparedRoute | undefined, source: AnswerSource, status: number): Changes {
  if (route === undefined) return NONE;
  const page = ownPageOf(route, status);
  return changesOfAnswer(source, page, route.responseFields);
}

/** What describes the origin's body and not the page's. */
const BODY_FIELDS = ['Content-Encoding', 'Content-Range', 'Content-Language', 'Accept-Ranges', 'ETag', 'Last-Modified'];

function setPageFields(page: ResponsePage, text: string): void {
  for (const name of BODY_FIELDS) ngx.header[name] = undefined;
  ngx.header['Content-Type'] = page.contentType;
  ngx.header['Content-Length'] = text.length;
  ngx.header['X-Content-Type-Options'] = 'nosniff';
  // The id of this request is nobody else's.
  if (page.parts.length > 1 || page.hasUrl) ngx.header['Cache-Control'] = 'no-store';
  add_header('Vary', 'Accept');
}

/** A page's text, with the id of this request and where its owner finds it. */
function textOf(page: ResponsePage): string {
  const requestId = ngx.var.cordon_request_id ?? '';
  const text = page.parts.join(requestId);
  if (!page.hasUrl) return text;
  const brand = findBrand(settingsAt(currentGeneration()), page.brand === '' ? undefined : page.brand);
  const url = brand === undefined || brand.console_url === '' ? '' : requestUrl(brand, requestId);
  return text.replaceAll(REQUEST_URL, page.contentType.startsWith('text/plain') ? url : escapeHtml(url));
}

/** Sets the header fields of a changed answer. The text, with the id of this request, that stands in for its body. */
export function setChanges({ page, fields }: Changes): string | undefined {
  const text = page === undefined ? undefined : textOf(page);
  if (page !== undefined && text !== undefined) setPageFields(page, text);
  setFields(fields);
  return text;
}

function setField({ name, value, isAdded }: ResponseField): void {
  if (isAdded) add_header(name, value);
  else ngx.header[name] = value;
}

function setMany(fields: readonly ResponseField[]): void {
  for (const field of fields) setField(field);
}

/** Few, as most routes have, without a loop: LuaJIT compiles nothing that leads to one. */
function setFields(fields: readonly ResponseField[]): void {
  if (fields.length > 3) {
    setMany(fields);
    return;
  }
  if (fields.length > 0) setField(fields[0] as ResponseField);
  if (fields.length > 1) setField(fields[1] as ResponseField);
  if (fields.length > 2) setField(fields[2] as ResponseField);
}

/** `$cordon_pages` of a request whose answer passes through `filterBody` in any case. */
const MAY_BE_REPLACED = '1';

/** Of a request on its way to the origin of a route with pages of its own. */
export function awaitPages(isTls: boolean): void {
  if (!isPageLocationKnown(isTls)) ngx.var.cordon_pages = MAY_BE_REPLACED;
}

/** A page that is to take the place of an origin's body. */
interface DuePage {
  readonly requestId: string | undefined;
  readonly text: string | undefined;
  /** Its answer was led to where `filterBody` is. */
  readonly isLed: boolean;
}

/**
 * By the places of requests in memory, until the body begins, which is just after the head. Where it never does, because the head could not
 * be sent, the next request in that place takes the page away.
 */
const duePages = new LuaTable<number, DuePage>();
let dueCount = 0;

/** `header_filter_by_lua` of an origin's answer whose body passes through `filterBody`. Whether the body stays the origin's. */
export function filterAnswer(): boolean {
  if (!responseChanges.ofAny) return true;
  const route = passedRoute();
  if (route === undefined) return true;
  const isKept = ownPageOf(route, ngx.status) === undefined;
  if (isKept) setFields(route.responseFields);
  else replaceBody(route, false);
  if (route.hsts !== undefined) setHsts(route);
  return isKept;
}

/** The same where it does when it is led there. */
export function filterPlainAnswer(isTls: boolean): boolean {
  if (!responseChanges.ofAny) return true;
  const route = passedRoute();
  if (route === undefined) return true;
  let isKept = true;
  if (route.errorPages !== undefined) isKept = filterWithPages(route, isTls);
  else setFields(route.responseFields);
  if (isTls && route.hsts !== undefined) setHsts(route);
  return isKept;
}

function filterWithPages(route: PreparedRoute, isTls: boolean): boolean {
  const isThere = !isPageLocationKnown(isTls) && ngx.var.cordon_pages === MAY_BE_REPLACED;
  if (isThere) learnPageLocation(isTls);
  const isDue = ownPageOf(route, ngx.status) !== undefined;
  const isReplacedHere = isDue && (isThere || ngx.req.get_method() === 'HEAD');
  if (isReplacedHere || (isDue && leadToPageLocation(isTls))) {
    replaceBody(route, !isReplacedHere);
    return false;
  }
  // Where no body is replaced, neither is its length.
  setFields(route.responseFields);
  return true;
}

function replaceBody(route: PreparedRoute, isLed: boolean): void {
  leaveAsItIs();
  const text = setChanges(changesFor(route, 'origin', ngx.status));
  // Of no body none is passed to the filter.
  if (ngx.req.get_method() === 'HEAD') return;
  const place = placeOfRequest();
  if (duePages.get(place) === undefined) dueCount++;
  duePages.set(place, { requestId: ngx.var.cordon_request_id, text, isLed });
}

/** `body_filter_by_lua` where a route may have pages of its own: the page instead of the origin's body. */
export function filterBody(this: void): void {
  // Most answers, for less than a look at the request costs.
  if (dueCount === 0) return;
  const place = placeOfRequest();
  const due = duePages.get(place) as DuePage | undefined;
  if (due === undefined) return;
  duePages.delete(place);
  dueCount--;
  if (due.requestId !== ngx.var.cordon_request_id) return;
  if (due.isLed) noteArrival();
  ngx.arg[1] = due.text;
  // What follows of the origin's body is dropped without asking again.
  ngx.arg[2] = true;
}
