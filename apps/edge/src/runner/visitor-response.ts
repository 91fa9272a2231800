import { add_header } from 'ngx.resp';
import type { PreparedRoute } from './prepared-route.ts';
import { passedRoute } from './request-state.ts';
import { type ResponsePage, responseChanges } from './response-changes.ts';

export function pageOf(route: PreparedRoute | undefined, status: number): ResponsePage | undefined {
  return route?.errorPages?.get(status) as ResponsePage | undefined;
}

/** The page with the id of this request. */
export const textOf = (page: ResponsePage): string => page.parts.join(ngx.var.cordon_request_id ?? '');

export function setResponseFields(route: PreparedRoute | undefined): void {
  if (route === undefined) return;
  for (const { name, value, isAdded } of route.responseFields) {
    if (isAdded) add_header(name, value);
    else ngx.header[name] = value;
  }
}

/** What describes the origin's body and not the page's. */
const BODY_FIELDS = ['Content-Encoding', 'Content-Range', 'Content-Language', 'Accept-Ranges', 'ETag', 'Last-Modified'];

export function setPageFields(page: ResponsePage, text: string): void {
  for (const name of BODY_FIELDS) ngx.header[name] = undefined;
  ngx.header['Content-Type'] = page.contentType;
  ngx.header['Content-Length'] = text.length;
  ngx.header['X-Content-Type-Options'] = 'nosniff';
}

/** `header_filter_by_lua` of an origin's answer. */
export function filterAnswer(): void {
  if (!responseChanges.ofAny) return;
  const route = passedRoute();
  if (route === undefined) return;
  const page = pageOf(route, ngx.status);
  if (page !== undefined) {
    const text = textOf(page);
    setPageFields(page, text);
    ngx.ctx.page = text;
  }
  if (route.responseFields.length > 0) setResponseFields(route);
}

/** `body_filter_by_lua` where a route may have pages of its own: the page instead of the origin's body. */
export function filterBody(this: void): void {
  const state = ngx.ctx;
  if (state.page === undefined) return;
  ngx.arg[1] = state.isPageSent === true ? undefined : state.page;
  ngx.arg[2] = true;
  state.isPageSent = true;
}
