import type { EdgeHandler } from '@cordon/plugin-kit/edge';
import type { RedirectConfig } from './schema.ts';

interface Prepared {
  readonly url: string;
  readonly preservesPath: boolean;
  /** Lower case, without port and trailing dot, as requests have theirs. */
  readonly host: string;
  /** The address up to the end of its path. */
  readonly base: string;
  /** The same without a slash at its end, for a path to follow. */
  readonly baseToExtend: string;
  /** Without `?` and `#`; empty when there is none. */
  readonly query: string;
  readonly fragment: string;
}

/** `text` before and after the first `mark`; nothing after when it is not there. */
function cut(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.substring(0, at), text.substring(at + 1)];
}

function hostOf(base: string): string {
  const [authority] = cut(base.substring(base.indexOf('//') + 2), '/');
  // An address of IPv6 has colons of its own; a domain is never called like that.
  const [host] = authority.startsWith('[') ? [authority] : cut(authority, ':');
  return host.endsWith('.') ? host.substring(0, host.length - 1) : host;
}

/** Takes the address apart, once for all requests. */
export function prepareRedirect(this: void, config: RedirectConfig): Prepared {
  const [whole, fragment] = cut(config.redirect_url, '#');
  const [base, query] = cut(whole, '?');
  return {
    url: config.redirect_url,
    preservesPath: config.preserve_path,
    host: hostOf(base),
    base,
    baseToExtend: base.endsWith('/') ? base.substring(0, base.length - 1) : base,
    query,
    fragment,
  };
}

/** Where a request is sent. Visitors of `/` get the address as it was written, with no slash added to a page's name. */
export function locationOf(this: void, prepared: Prepared, rawPath: string, query: string): string {
  if (!prepared.preservesPath) return prepared.url;
  let location = rawPath === '/' ? prepared.base : prepared.baseToExtend + rawPath;
  if (prepared.query !== '') location += `?${prepared.query}`;
  if (query !== '') location += (prepared.query === '' ? '?' : '&') + query;
  return prepared.fragment === '' ? location : `${location}#${prepared.fragment}`;
}

export const handler: EdgeHandler<RedirectConfig, Prepared> = {
  prepare: (config) => prepareRedirect(config),

  access: (ctx, prepared) => {
    const { request } = ctx;
    // The API refuses such an address; a name that the domain got later could still make it one.
    if (request.host === prepared.host) return { kind: 'block', status: 508, reason: 'redirect_loop', rule: '' };
    const location = locationOf(prepared, request.rawPath, request.query);
    return { kind: 'redirect', status: 302, location, reason: 'redirected', rule: '' };
  },
};
