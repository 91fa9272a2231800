import { API_BASE, type TokenScope } from '@cordon/contract';
import { curlAuthorization, curlPost } from '../../../domain/display/curl-post';
import type { Preset } from './token-scopes';

const READS = {
  'domains:read': 'domain/routes/',
  'account:read': 'user/info/',
  'traffic:read': 'stats/overview/',
  'audit:read': 'user/audit/',
} as const satisfies Partial<Record<TokenScope, string>>;
/** Of one URL, so that trying it costs the origin next to nothing. */
const POSTS = {
  clear: { path: 'clear-cache', bodyOf: (homePage: string) => ({ kind: 'urls', values: [homePage] }) },
  // By protocol and name it could be one that answers with a redirect.
  prefetch: { path: 'prefetch', bodyOf: () => ({ urls: ['/'] }) },
} as const;

/** A call that a token can be tried with: below a domain, or one that reads. */
export type TriedCall = keyof typeof POSTS | keyof typeof READS;

const READ_SCOPES = Object.keys(READS) as (keyof typeof READS)[];
/** What each call takes. */
const opens = (scopes: readonly TokenScope[], call: TriedCall): boolean =>
  call === 'clear' || call === 'prefetch'
    ? scopes.includes(`cache:${call}`) || scopes.includes('domains:write')
    : scopes.includes(call);

/** What a new token is tried with: what it was made for, or else what changes nothing where it may change domains. */
export function triedCallOf(scopes: readonly TokenScope[], preset: Preset): TriedCall {
  const wanted = preset === 'clear' || preset === 'prefetch' ? [preset] : [];
  const order: readonly TriedCall[] = scopes.includes('domains:write')
    ? [...wanted, ...READ_SCOPES]
    : [...wanted, 'clear', 'prefetch', ...READ_SCOPES];
  return order.find((call) => opens(scopes, call)) ?? 'clear';
}

/** Whether the call is one below a domain. */
export const needsDomain = (call: TriedCall): call is keyof typeof POSTS => call in POSTS;

/** The call as a line for a shell, with the token in a variable. @param homePage URL of that of the domain. */
export function curlExample(call: TriedCall, domainId: string, homePage = '/'): string {
  if (!needsDomain(call)) return `curl ${window.location.origin}${API_BASE}${READS[call]} \\\n  ${curlAuthorization}`;
  const { path, bodyOf } = POSTS[call];
  return curlPost(`domain/routes/${domainId}/${path}/`, bodyOf(homePage));
}
