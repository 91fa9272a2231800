import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

/** The node's own self-signed certificate, shown where no domain's is known. Made once, by the openssl command. */
export function ensureDefaultCertificate(edgeDir: string): CertificateFiles {
  const folder = join(edgeDir, 'tls');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const files = { certificate: join(folder, 'default.pem'), key: join(folder, 'default.key') };
  if (existsSync(files.certificate) && existsSync(files.key)) return files;
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '3650'],
      ...['-subj', '/CN=edge-default.invalid', '-keyout', `${files.key}.next`, '-out', `${files.certificate}.next`],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  renameSync(`${files.key}.next`, files.key);
  renameSync(`${files.certificate}.next`, files.certificate);
  return files;
}
