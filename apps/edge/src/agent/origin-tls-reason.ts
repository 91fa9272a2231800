import { readFileSync } from 'node:fs';
import { connect } from 'node:tls';
import type { EdgeRoute } from '@cordon/contract/edge-config';
import type { TlsAnswer, TlsQuestion } from '../runner/payload.ts';

const TIMEOUT_MS = 1500;

const REASONS: Readonly<Record<string, TlsAnswer['result']>> = {
  CERT_HAS_EXPIRED: 'origin_tls_expired',
  CERT_NOT_YET_VALID: 'origin_tls_expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'origin_tls_name',
};

/**
 * Why an origin's certificate does not verify: nginx writes the reason to its error log only, beside the visitor's
 * request line. Connects once more and judges as nginx does; empty when the certificate is not what is wrong.
 */
export function diagnoseTls(
  question: TlsQuestion,
  route: EdgeRoute | undefined,
  caBundle: string,
): Promise<TlsAnswer['result']> {
  const upstream = route?.upstream;
  const mode = upstream?.tls_verification ?? 'off';
  if (!upstream || mode === 'off') return Promise.resolve('');
  const colon = question.address.lastIndexOf(':');
  return new Promise((resolve) => {
    const finish = (result: TlsAnswer['result']) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(result);
    };
    const socket = connect({
      host: question.address.slice(0, colon).replace(/^\[|\]$/g, ''),
      port: Number(question.address.slice(colon + 1)),
      servername: question.name,
      ca: mode === 'custom' ? (upstream.tls_ca ?? '') : readFileSync(caBundle),
      rejectUnauthorized: false,
      minVersion: 'TLSv1.2',
    });
    const timer = setTimeout(() => finish(''), TIMEOUT_MS);
    socket.on('secureConnect', () => {
      const found = socket.authorizationError as unknown as NodeJS.ErrnoException | string | undefined;
      if (socket.authorized || !found) return finish('');
      const code = typeof found === 'string' ? found : (found.code ?? '');
      return finish(REASONS[code] ?? 'origin_tls_untrusted');
    });
    socket.on('error', (error: NodeJS.ErrnoException) =>
      finish(String(error.code ?? '').startsWith('ERR_SSL') ? 'origin_tls_failed' : ''),
    );
  });
}
