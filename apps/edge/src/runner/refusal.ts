import { setHsts } from './hsts.ts';
import { fillPage } from './page.ts';
import { findPage } from './page-cache.ts';
import { type PageKind, retryTime } from './page-texts.ts';
import type { RunnerBrand } from './payload.ts';
import type { PreparedRoute } from './prepared-route.ts';
import { isJsonPreferred, languageOf } from './visitor-preference.ts';
import { changesFor, setChanges } from './visitor-response.ts';

/** Notes for the log what decided the request: plugin, action, reason, rule. The agent takes the text apart again. */
export function noteVerdict(plugin: string, action: string, reason: string, rule: string): void {
  ngx.var.cordon_verdict = `${plugin}\t${action}\t${reason}\t${rule}`;
}

/** The status of refusals of which there are many: nginx has a location for it (`@blocked`). */
const BLOCKED_STATUS = 403;
/** Parts of a page in that location. */
const BLOCKED_PARTS = 4;

/** nginx would first ask for a body that waits to be asked for, only to throw it away. */
function leaveBodyUnasked(): void {
  if (ngx.var.http_expect !== undefined) ngx.req.clear_header('Expect');
}

/**
 * Gives nginx the brand's page for a request that a plugin blocks, to send it without any more Lua: a flood is mostly of these.
 * False where the answer is another one than the brand's as HTML, and `sendPage` makes it.
 */
export function setBlockedPage(
  kind: PageKind,
  status: number,
  code: string,
  brand: RunnerBrand | undefined,
  route: PreparedRoute,
  retrySeconds: number | undefined,
): boolean {
  if (status !== BLOCKED_STATUS || isJsonPreferred(ngx.var.http_accept)) return false;
  const { page, fields } = changesFor(route, 'edge', status);
  if (page !== undefined || fields.length > 0) return false;
  const language = languageOf(ngx.var.http_accept_language);
  const parts = findPage({ kind, status, code, language, asJson: false, brand, isOfDomain: true });
  if (parts.length !== BLOCKED_PARTS) return false;
  leaveBodyUnasked();
  ngx.var.cordon_page_1 = parts[0];
  ngx.var.cordon_page_2 = parts[1];
  ngx.var.cordon_page_3 = parts[2];
  ngx.var.cordon_page_4 = parts[3];
  if (route.hsts !== undefined && ngx.var.scheme === 'https') ngx.var.cordon_hsts = route.hsts;
  if (retrySeconds !== undefined) ngx.var.cordon_retry_after = `${retrySeconds}`;
  return true;
}

/** The brand's page as HTML or JSON, in the visitor's language, around the id of the request. Sets its header fields. */
function setBrandPage(
  kind: PageKind,
  status: number,
  code: string,
  brand: RunnerBrand | undefined,
  isOfDomain: boolean,
  retrySeconds: number | undefined,
): string[] {
  const asJson = isJsonPreferred(ngx.var.http_accept);
  const language = languageOf(ngx.var.http_accept_language);
  const retryIn = retryTime(language, kind, retrySeconds);
  const parts = findPage({ kind, status, code, language, asJson, brand, isOfDomain, retryIn });
  const page = fillPage(parts, ngx.var.cordon_request_id ?? '');
  ngx.header['Content-Type'] = asJson ? 'application/json' : 'text/html; charset=utf-8';
  ngx.header['Content-Length'] = page.reduce((length, part) => length + part.length, 0);
  ngx.header.Vary = 'Accept, Accept-Language';
  ngx.header['Content-Security-Policy'] = "default-src 'none'; style-src 'unsafe-inline'";
  ngx.header['X-Content-Type-Options'] = 'nosniff';
  return page;
}

/**
 * What is left of a body would otherwise be read as the next request of the connection. A body whose chunks cannot be
 * read has no end to find: it is a bad request, whatever else would have been answered.
 */
export function discardBody(): void {
  leaveBodyUnasked();
  const [isReadable] = pcall(ngx.req.discard_body);
  if (!isReadable) ngx.exit(400);
}

/** Pages under a name that is not proved to be the route's, or over TLS that was opened for another's. */
const ELSEWHERE: readonly PageKind[] = ['not_pointed', 'misdirected'];

/**
 * Answers with a page: the route's own for this status, or the brand's. With `retrySeconds`, the client is told after how
 * long to come back. The request ends here.
 */
export function sendPage(
  kind: PageKind,
  status: number,
  code: string,
  brand: RunnerBrand | undefined,
  route: PreparedRoute | undefined,
  retrySeconds?: number,
): void {
  discardBody();
  ngx.status = status;
  ngx.header['Cache-Control'] = 'no-store';
  if (retrySeconds !== undefined) ngx.header['Retry-After'] = retrySeconds;
  const ownPage = setChanges(changesFor(route, 'edge', status));
  if (!ELSEWHERE.includes(kind)) setHsts(route);
  const page =
    ownPage === undefined ? setBrandPage(kind, status, code, brand, route !== undefined, retrySeconds) : [ownPage];
  if (ngx.req.get_method() !== 'HEAD') ngx.print(page);
  // Else nginx would answer with the length of a page of its own.
  else ngx.send_headers();
  ngx.exit(status);
}

/** Answers with a redirect without a body. The request ends here. */
export function sendRedirect(status: number, location: string, route: PreparedRoute | undefined): void {
  discardBody();
  ngx.status = status;
  setChanges(changesFor(route, 'redirect', status));
  setHsts(route);
  ngx.header.Location = location;
  ngx.header['Content-Length'] = 0;
  ngx.send_headers();
  ngx.exit(status);
}
