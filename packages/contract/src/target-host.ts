import { formatAddress, parseAddress } from './address.ts';
import { parseDomainName } from './domain-name.ts';
import type { FieldErrorCode } from './errors.ts';

type UpstreamHostResult =
  | { readonly ok: true; readonly host: string; readonly isAddress: boolean }
  | { readonly ok: false; readonly code: FieldErrorCode };

/**
 * Reads the host of an upstream target: an address without brackets or a name. A mask is refused, `/0` with its own
 * words (product design); a scheme or a port belongs to other fields.
 */
export function parseUpstreamHost(input: string): UpstreamHostResult {
  const fail = (code: FieldErrorCode): UpstreamHostResult => ({ ok: false, code });
  const typed = input
    .trim()
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1');
  if (typed === '') return fail('UPSTREAM_REQUIRED');
  if (typed.includes('://')) return fail('UPSTREAM_IS_URL');
  if (/^[^/]+\/0+$/.test(typed)) return fail('UPSTREAM_MASK_ZERO');
  if (/^[0-9a-f.:]+\/\d+$/.test(typed)) return fail('UPSTREAM_MASK');
  if (/[/?#@]/.test(typed)) return fail('UPSTREAM_IS_URL');
  const address = parseAddress(typed);
  if (address) return { ok: true, host: formatAddress(address), isAddress: true };
  if (/^[^:]+:\d+$/.test(typed)) return fail('UPSTREAM_HAS_PORT');
  const name = parseDomainName(typed);
  if (!name.ok || name.name.startsWith('*.')) return fail('UPSTREAM_INVALID');
  return { ok: true, host: name.name, isAddress: false };
}

/** `203.0.113.10:8080`, `[2001:db8::1]:443`; without a port the host alone. */
export function targetAddress({ host, port }: { readonly host: string; readonly port: number | null }): string {
  if (port === null) return host;
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
