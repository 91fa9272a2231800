/**
 * How header fields, cookies and arguments are read off a request: the same code under nginx, in Node and in LuaJIT,
 * because nginx's own variables differ from version to version and take cookies and arguments without regard to case.
 */

import { decodeForm } from './form-encoding.ts';

const TAB = 9;
const SPACE = 32;
const HYPHEN = 45;

const isBlank = (code: number): boolean => code === SPACE || code === TAB;

/** Without the blanks (RFC 9110 5.6.3, OWS) before and behind it. */
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return start === 0 && end === text.length ? text : text.substring(start, end);
}

/** Whether nginx takes a header field of this name at all: letters, digits and hyphens (`ignore_invalid_headers on`). */
export function isFieldName(this: void, name: string): boolean {
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    const lower = code | 32;
    const isTaken = (lower >= 97 && lower <= 122) || (code >= 48 && code <= 57) || code === HYPHEN;
    if (!isTaken) return false;
  }
  return name !== '';
}

/** Names, in lower case, of fields by which proxies tell origins of the client's address, of host, path and scheme, besides `X-Forwarded-*`. */
export const FORWARDING_FIELDS = [
  ...['forwarded', 'forwarded-for', 'x-forwarded', 'x-original-forwarded-for'],
  ...['x-real-ip', 'client-ip', 'x-client-ip', 'x-cluster-client-ip', 'true-client-ip', 'x-remote-ip', 'x-remote-addr'],
  ...['cf-connecting-ip', 'cf-connecting-ipv6', 'cf-pseudo-ipv4', 'fastly-client-ip', 'fly-client-ip'],
  ...['x-appengine-user-ip', 'x-azure-clientip', 'x-envoy-external-address'],
  ...['proxy-client-ip', 'wl-proxy-client-ip', 'x-proxyuser-ip'],
  ...['x-host', 'x-http-host-override', 'x-original-host'],
  ...['x-original-url', 'x-original-path', 'x-envoy-original-path', 'x-override-url', 'x-rewrite-url'],
  ...['x-scheme', 'x-http-scheme', 'x-url-scheme', 'x-arr-ssl', 'front-end-https', 'ssl-offloaded', 'base-url'],
  ...['x-backend-host', 'x-proxy-host', 'x-host-override', 'x-real-host', 'x-server-name', 'x-script-name'],
  ...['x-original-uri', 'x-original-method', 'x-original-http-method', 'x-rewrite-path', 'x-http-path-override'],
  ...['x-forward-for', 'x-originating-ip', 'x-true-ip'],
  // Of Next.js, between its own servers.
  ...['x-invoke-path', 'x-invoke-query', 'x-invoke-status', 'x-invoke-output', 'x-middleware-prefetch'],
  ...['x-invoke-error', 'x-middleware-subrequest', 'x-nextjs-data', 'x-prerender-revalidate'],
  ...['x-matched-path', 'x-now-route-matches', 'x-middleware-rewrite', 'x-middleware-redirect', 'x-middleware-next'],
  ...['x-middleware-skip', 'x-middleware-set-cookie', 'x-middleware-override-headers'],
  // Of React Router (CVE-2025-43864, CVE-2025-43865) and Nuxt, by which pages are rendered otherwise, or of other data.
  ...['x-react-router-spa-mode', 'x-react-router-prerender-data', 'x-nuxt-no-ssr', 'x-nuxt-error', 'x-nitro-prerender'],
  // By which Rack leaves the body to a server before it.
  'x-sendfile-type',
  // By which a surrogate says that it fills in parts of pages (Edge Architecture Specification, 2.1), as this one does not.
  'surrogate-capability',
];
const FORWARDING: { [name: string]: true | undefined } = {};
for (const name of FORWARDING_FIELDS) FORWARDING[name] = true;

/**
 * Whether origins may believe a field of this name (in lower case) to come from a proxy, and to say who asks, or for what: from
 * a visitor, it would be another address, name, path or scheme than those that the edge has judged.
 */
export function isForwardingField(this: void, name: string): boolean {
  return name.substring(0, 12) === 'x-forwarded-' || FORWARDING[name] === true;
}

/**
 * The value of the header fields of one name (in lower case) after one more of them: several are a list (RFC 9110 5.2),
 * for which those of Cookie have a mark of their own (RFC 9113 8.2.3).
 */
export function withFieldValue(this: void, name: string, before: string | undefined, value: string): string {
  const trimmed = trimBlanks(value);
  if (before === undefined) return trimmed;
  return before + (name === 'cookie' ? '; ' : ', ') + trimmed;
}

/** Where the next `mark` is, from `start` on; the end of the text when there is none. */
function endOfPart(text: string, start: number, mark: string): number {
  const at = text.indexOf(mark, start);
  return at < 0 ? text.length : at;
}

/** Values by name, all in their order: taken apart once for however many are asked for. */
export interface NamedValues {
  /** `=` before it, because JavaScript has names of its own. */
  readonly [markedName: string]: string[] | undefined;
}

const NO_VALUES: readonly string[] = [];

export const valuesOf = (named: NamedValues, name: string): readonly string[] => named[`=${name}`] ?? NO_VALUES;

function addValue(named: { [markedName: string]: string[] | undefined }, name: string, value: string): void {
  const key = `=${name}`;
  const values = named[key];
  if (values === undefined) named[key] = [value];
  else values.push(value);
}

/** The cookies in the value of a Cookie field (RFC 6265 4.2.1), quotes and all. */
export function readCookies(this: void, cookies: string): NamedValues {
  const named: { [markedName: string]: string[] | undefined } = {};
  let equals = -1;
  let start = 0;
  while (start < cookies.length) {
    const end = endOfPart(cookies, start, ';');
    // Looked for once, not once for each pair: a visitor may send thousands of pairs without any.
    if (equals < start) equals = endOfPart(cookies, start, '=');
    if (equals < end)
      addValue(named, trimBlanks(cookies.substring(start, equals)), trimBlanks(cookies.substring(equals + 1, end)));
    start = end + 1;
  }
  return named;
}

/**
 * The arguments in a query; one without `=` is empty. Names and values are decoded once, as nearly all origins do (URL
 * Standard, application/x-www-form-urlencoded parsing).
 */
export function readArguments(this: void, query: string): NamedValues {
  const named: { [markedName: string]: string[] | undefined } = {};
  let equals = -1;
  let start = 0;
  while (start < query.length) {
    const end = endOfPart(query, start, '&');
    if (equals < start) equals = endOfPart(query, start, '=');
    const nameEnd = Math.min(equals, end);
    if (end > start)
      addValue(
        named,
        decodeForm(query.substring(start, nameEnd)),
        nameEnd === end ? '' : decodeForm(query.substring(nameEnd + 1, end)),
      );
    start = end + 1;
  }
  return named;
}
