import type { PreparedRoute } from './prepared-route.ts';

/**
 * Says to browsers that the domain is met over HTTPS only, in place of what its origin or a plugin says. Without TLS it must not be said
 * (RFC 6797 7.2).
 */
export function setHsts(route: PreparedRoute | undefined): void {
  if (route === undefined || route.hsts === undefined || ngx.var.scheme !== 'https') return;
  ngx.header['Strict-Transport-Security'] = route.hsts;
}
