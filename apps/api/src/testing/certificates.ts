import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TestCertificate {
  readonly key: string;
  readonly certificate: string;
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** A certificate made by the openssl command: self-signed, or signed by `issuer`. Negative `days`: expired. */
export function makeCertificate(
  name: string,
  options: { issuer?: TestCertificate; days?: number; isCa?: boolean } = {},
): TestCertificate {
  const dir = mkdtempSync(join(tmpdir(), 'cordon-certificate-'));
  const path = (file: string) => join(dir, file);
  const run = (...args: string[]) => execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    run('req', ...KEY, '-subj', `/CN=${name}`, '-keyout', path('key.pem'), '-out', path('request.pem'));
    writeFileSync(
      path('extensions'),
      `subjectAltName=DNS:${name}\nbasicConstraints=critical,CA:${options.isCa === true ? 'TRUE' : 'FALSE'}\n`,
    );
    const signer = options.issuer ? ['-CA', path('ca.pem'), '-CAkey', path('ca.key')] : ['-signkey', path('key.pem')];
    if (options.issuer) {
      writeFileSync(path('ca.pem'), options.issuer.certificate);
      writeFileSync(path('ca.key'), options.issuer.key);
    }
    run(
      ...['x509', '-req', '-in', path('request.pem'), ...signer, '-set_serial', String(Date.now())],
      ...['-days', String(options.days ?? 30), '-extfile', path('extensions'), '-out', path('certificate.pem')],
    );
    return { key: readFileSync(path('key.pem'), 'utf8'), certificate: readFileSync(path('certificate.pem'), 'utf8') };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
