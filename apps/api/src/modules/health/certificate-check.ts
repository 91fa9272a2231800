import { checkServerIdentity, connect, type PeerCertificate } from 'node:tls';
import { isWildcardName } from '@cordon/contract';
import type { RouteRow } from '../routes/service.ts';
import type { Found } from './line.ts';

/** What a node shows visitors of a name. */
export interface ShownCertificate {
  readonly coversName: boolean;
  readonly isTrusted: boolean;
  readonly issuer: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

const HANDSHAKE_MS = 3_000;
/** Below this a renewal is overdue: certificates of 90 days are renewed when a third is left. */
const SOON_DAYS = 14;
const DAY_MS = 86_400_000;

const first = (value: string | string[] | undefined): string => (Array.isArray(value) ? value[0] : value) ?? '';

function read(certificate: PeerCertificate, name: string, isTrusted: boolean): ShownCertificate {
  return {
    coversName: checkServerIdentity(name, certificate) === undefined,
    isTrusted,
    issuer: (first(certificate.issuer?.O) || first(certificate.issuer?.CN)).slice(0, 100),
    expiresAt: new Date(certificate.valid_to).toISOString(),
  };
}

/** A TLS handshake with one of our own nodes, as a visitor of the name makes it; undefined when there is none. */
export function shownCertificate(
  node: { readonly address: string; readonly port: number },
  name: string,
  options: { readonly timeoutMs?: number; readonly trusted?: readonly string[] } = {},
): Promise<ShownCertificate | undefined> {
  return new Promise((resolve) => {
    const socket = connect({
      host: node.address,
      port: node.port,
      servername: name,
      // The certificate is judged below; a handshake that fails would show none.
      rejectUnauthorized: false,
      ...(options.trusted ? { ca: [...options.trusted] } : {}),
    });
    const finish = (shown: ShownCertificate | undefined) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(shown);
    };
    const timer = setTimeout(() => finish(undefined), options.timeoutMs ?? HANDSHAKE_MS);
    socket.once('error', () => finish(undefined));
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerCertificate();
      finish(Object.keys(certificate).length === 0 ? undefined : read(certificate, name, socket.authorized));
    });
  });
}

/** The line about a certificate that was, or was not, shown. */
export function judgeCertificate(
  shown: ShownCertificate | undefined,
  route: Pick<RouteRow, 'certificate_id' | 'ownership_method'>,
  now = Date.now(),
): Found {
  if (!shown?.coversName && route.ownership_method === 'demo') return { state: 'ok', finding: 'demo' };
  const hasOwn = route.certificate_id !== null;
  if (!shown && hasOwn) return { state: 'unknown', finding: 'no_handshake', advice: 'retry' };
  // Without a certificate of the domain's own there is nothing else that a node could show.
  if (!shown?.coversName)
    return {
      state: hasOwn ? 'error' : 'warning',
      finding: 'default_certificate',
      params: shown ? { issuer: shown.issuer } : {},
      advice: 'configure_ssl',
    };
  const params = { issuer: shown.issuer, expires_at: shown.expiresAt };
  const left = Date.parse(shown.expiresAt) - now;
  if (left <= 0) return { state: 'error', finding: 'expired', params, advice: 'renew_ssl' };
  if (!shown.isTrusted) return { state: 'warning', finding: 'not_trusted', params, advice: 'configure_ssl' };
  if (left < SOON_DAYS * DAY_MS) return { state: 'warning', finding: 'expires_soon', params, advice: 'renew_ssl' };
  return { state: 'ok', finding: 'valid', params };
}

/** What visitors over https are shown, by asking a live node; undefined where none answers. */
export function lookAtCertificate(
  domainName: string,
  nodeAddresses: readonly string[],
  httpsPort: number,
): Promise<ShownCertificate | undefined> {
  const name = isWildcardName(domainName) ? `www.${domainName.slice(2)}` : domainName;
  const address = nodeAddresses[0];
  return address === undefined ? Promise.resolve(undefined) : shownCertificate({ address, port: httpsPort }, name);
}
