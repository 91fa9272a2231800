import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judgeCertificate, type ShownCertificate, shownCertificate } from './certificate-check.ts';

const dir = mkdtempSync(join(tmpdir(), 'cordon-certificate-'));
let certificate: string;
let port: number;
let silentPort: number;
let server: ReturnType<typeof createServer>;
const silent = createTcpServer(() => undefined);

beforeAll(async () => {
  const [key, cert] = [join(dir, 'key.pem'), join(dir, 'cert.pem')];
  const subject = ['-subj', '/O=Example CA/CN=www.example.com', '-addext', 'subjectAltName=DNS:www.example.com'];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '60']
      .concat(['-keyout', key, '-out', cert])
      .concat(subject),
    { stdio: 'ignore' },
  );
  certificate = readFileSync(cert, 'utf8');
  server = createServer({ key: readFileSync(key), cert: certificate }, (socket) => socket.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  silentPort = (silent.address() as AddressInfo).port;
});
afterAll(() => {
  server.close();
  silent.close();
  rmSync(dir, { recursive: true });
});

describe('the certificate that a node shows', () => {
  it('is read by a real TLS handshake, with a trusted issuer or not', async () => {
    const node = { address: '127.0.0.1', port };
    expect(await shownCertificate(node, 'www.example.com')).toMatchObject({
      coversName: true,
      isTrusted: false,
      issuer: 'Example CA',
    });
    expect(await shownCertificate(node, 'www.example.com', { trusted: [certificate] })).toMatchObject({
      isTrusted: true,
    });
    expect((await shownCertificate(node, 'shop.example.org'))?.coversName).toBe(false);
  });

  it('is absent when the connection is refused or the TLS handshake times out', async () => {
    const ask = (portAsked: number) =>
      shownCertificate({ address: '127.0.0.1', port: portAsked }, 'www.example.com', { timeoutMs: 200 });
    expect(await ask(9)).toBeUndefined();
    expect(await ask(silentPort)).toBeUndefined();
  });
});

describe('the line about it', () => {
  const now = Date.parse('2026-11-20T00:00:00Z');
  const shown = (change: Partial<ShownCertificate> = {}): ShownCertificate => ({
    coversName: true,
    isTrusted: true,
    issuer: 'Example CA',
    expiresAt: '2027-01-20T00:00:00Z',
    ...change,
  });
  const own = { certificate_id: '00000000-0000-4000-8000-000000000001', ownership_method: null };
  const none = { certificate_id: null, ownership_method: null };
  const demo = { certificate_id: null, ownership_method: 'demo' } as const;
  it.each([
    ['valid', shown(), own, 'ok', 'valid', undefined],
    ['near its end', shown({ expiresAt: '2026-11-25T00:00:00Z' }), own, 'warning', 'expires_soon', 'renew_ssl'],
    ['over', shown({ expiresAt: '2026-11-19T00:00:00Z' }), own, 'error', 'expired', 'renew_ssl'],
    ['of an untrusted issuer', shown({ isTrusted: false }), own, 'warning', 'not_trusted', 'configure_ssl'],
    ['the default one', shown({ coversName: false }), none, 'warning', 'default_certificate', 'configure_ssl'],
    [
      'the default one instead of its own',
      shown({ coversName: false }),
      own,
      'error',
      'default_certificate',
      'configure_ssl',
    ],
    ['not shown, and there is none', undefined, none, 'warning', 'default_certificate', 'configure_ssl'],
    ['not shown of a demo domain', undefined, demo, 'ok', 'demo', undefined],
    ['not shown', undefined, own, 'unknown', 'no_handshake', 'retry'],
  ] as const)('%s', (_, certificateShown, route, state, finding, advice) => {
    const line = judgeCertificate(certificateShown, route, now);
    expect([line.state, line.finding, line.advice]).toEqual([state, finding, advice]);
  });
});
