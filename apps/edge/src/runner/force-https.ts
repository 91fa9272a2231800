import { matchAddressSet } from '@cordon/contract/address-set';
import { mayBecomeGet } from '@cordon/plugin-kit/force-https';
import { addressOf, canonicalPeer } from './client-address.ts';
import { noteVerdict } from './refusal.ts';
import { options } from './runner-options.ts';
import { LOCATED_STEP } from './step.ts';

/**
 * Visitors without TLS of domains that are to be met over HTTPS only. nginx itself sends them there, by the host and the target that it has
 * read: a flood of them makes no texts in Lua, and costs no more than pages of a block do.
 */

/** A trusted proxy in front of this node has taken the visitor's TLS off: who is sent to HTTPS would come back as here for ever. */
export function hasComeByTls(): boolean {
  if (options.trusted.size === 0 || ngx.var.http_x_forwarded_proto !== 'https') return false;
  return matchAddressSet(options.trusted, addressOf(canonicalPeer(ngx.var.remote_addr ?? ''))) !== undefined;
}

/** The port of this node's HTTPS where the visitor wrote that of its HTTP, as nobody does before whom it stands at the usual ones. */
function setHttpsPort(host: string): void {
  const { http, https } = options.ports;
  const ending = `:${http}`;
  const written = ngx.var.http_host ?? '';
  if (https === 443 || string.sub(written, -ending.length) !== ending) return;
  // With an absolute target, the field may name another host.
  if (string.lower(string.sub(written, 1, -ending.length - 1)) === host) ngx.var.cordon_https_port = `:${https}`;
}

/** The step that sends the visitor to the same address with TLS. */
export function leadToHttps(host: string): string {
  noteVerdict('', 'redirect', 'force_https', '');
  setHttpsPort(host);
  ngx.var.cordon_cached = mayBecomeGet(ngx.req.get_method()) ? '@to_https' : '@to_https_same';
  return LOCATED_STEP;
}
