import { type AnswerChanges, type AnswerSource, changesOfAnswer } from '@cordon/plugin-kit/pipeline';
import { add_header } from 'ngx.resp';
import type { PreparedRoute } from './prepared-route.ts';
import { passedRoute } from './request-state.ts';
import { type ResponseField, type ResponsePage, responseChanges } from './response-changes.ts';

type Changes = AnswerChanges<ResponsePage, ResponseField>;
const NONE: Changes = { page: undefined, fields: [] };

/** What the route changes about an answer of this status. */
export function changesFor(route: PreparedRoute | undefined, source: AnswerSource, status: number): Changes {
  if (route === undefined) return NONE;
  const page = route.errorPages?.get(status) as ResponsePage | undefined;
  return changesOfAnswer(source, page, route.responseFields);
}

/** What describes the origin's body and not the page's. */
const BODY_FIELDS = ['Content-Encoding', 'Content-Range', 'Content-Language', 'Accept-Ranges', 'ETag', 'Last-Modified'];

function setPageFields(page: ResponsePage, text: string): void {
  for (const name of BODY_FIELDS) ngx.header[name] = undefined;
  ngx.header['Content-Type'] = page.contentType;
  ngx.header['Content-Length'] = text.length;
  ngx.header['X-Content-Type-Options'] = 'nosniff';
}

/** Sets the header fields of a changed answer. The text, with the id of this request, that stands in for its body. */
export function setChanges({ page, fields }: Changes): string | undefined {
  const text = page === undefined ? undefined : page.parts.join(ngx.var.cordon_request_id ?? '');
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

/** Pages of a domain stand in for errors only. */
const ERROR_STATUS_MIN = 400;

/** Values of `$cordon_pages`: the answer passes through `filterBody` and may get another body, and it gets one. */
const MAY_BE_REPLACED = '1';
const IS_REPLACED = '2';

/** Of a request on its way to the origin of a route with pages of its own. */
export function awaitPages(): void {
  ngx.var.cordon_pages = MAY_BE_REPLACED;
}

/** `header_filter_by_lua` of an origin's answer. */
export function filterAnswer(): void {
  if (!responseChanges.ofAny) return;
  const route = passedRoute();
  if (route === undefined || (route.errorPages === undefined && route.responseFields.length === 0)) return;
  const hasPage = route.errorPages?.get(ngx.status) !== undefined;
  // A version with pages may have come while the origin was asked: where no body is replaced, neither is its length.
  if (hasPage && ngx.var.cordon_pages === MAY_BE_REPLACED) replaceBody(route);
  else setFields(route.responseFields);
}

function replaceBody(route: PreparedRoute): void {
  const text = setChanges(changesFor(route, 'origin', ngx.status));
  ngx.var.cordon_pages = IS_REPLACED;
  ngx.ctx.page = text;
}

/** `body_filter_by_lua` where a route may have pages of its own: the page instead of the origin's body. */
export function filterBody(this: void): void {
  // Most answers, for less than a variable costs.
  if (ngx.status < ERROR_STATUS_MIN) return;
  // Before `ngx.ctx`, which makes a table of its own for each request.
  if (ngx.var.cordon_pages !== IS_REPLACED) return;
  const state = ngx.ctx;
  ngx.arg[1] = state.isPageSent === true ? undefined : state.page;
  ngx.arg[2] = true;
  state.isPageSent = true;
}
