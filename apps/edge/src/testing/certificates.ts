import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TestCertificate {
  readonly key: string;
  readonly certificate: string;
}

/** An authority of the tests, made by the openssl command, and certificates that it signs. */
export class TestAuthority {
  readonly #dir = mkdtempSync(join(tmpdir(), 'cordon-authority-'));
  /** Its own certificate, as PEM and as a file. */
  readonly pem: string;
  readonly file: string;
  #serial = 0;

  constructor(name: string) {
    this.file = join(this.#dir, 'ca.pem');
    const names = ['-subj', `/CN=${name}`, '-keyout', join(this.#dir, 'ca.key'), '-out', this.file];
    openssl(['req', '-x509', ...KEY, '-days', '30', ...names]);
    this.pem = readFileSync(this.file, 'utf8');
  }

  /** A server's certificate for the names; `isExpired` makes one that ended yesterday. */
  sign(names: readonly string[], isExpired = false): TestCertificate {
    const base = join(this.#dir, `leaf-${++this.#serial}`);
    openssl(['req', ...KEY, '-subj', `/CN=${names[0]}`, '-keyout', `${base}.key`, '-out', `${base}.csr`]);
    writeFileSync(`${base}.ext`, `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`);
    openssl([
      ...['x509', '-req', '-in', `${base}.csr`, '-CA', this.file, '-CAkey', join(this.#dir, 'ca.key')],
      ...['-set_serial', String(this.#serial), '-days', isExpired ? '-1' : '30', '-extfile', `${base}.ext`],
      ...['-out', `${base}.pem`],
    ]);
    return { key: readFileSync(`${base}.key`, 'utf8'), certificate: readFileSync(`${base}.pem`, 'utf8') };
  }

  remove(): void {
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

/** A server's certificate that it signed itself. */
export function selfSigned(name: string): TestCertificate {
  const dir = mkdtempSync(join(tmpdir(), 'cordon-self-'));
  const files = ['-keyout', join(dir, 'key.pem'), '-out', join(dir, 'cert.pem')];
  openssl([
    'req',
    '-x509',
    ...KEY,
    '-days',
    '30',
    '-subj',
    `/CN=${name}`,
    '-addext',
    `subjectAltName=DNS:${name}`,
    ...files,
  ]);
  const made = {
    key: readFileSync(join(dir, 'key.pem'), 'utf8'),
    certificate: readFileSync(join(dir, 'cert.pem'), 'utf8'),
  };
  rmSync(dir, { recursive: true, force: true });
  return made;
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

function openssl(args: readonly string[]): void {
  execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
