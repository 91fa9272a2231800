import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { writeFileAtomically } from './files.ts';

const SYSTEM_BUNDLE = '/etc/ssl/certs/ca-certificates.crt';

/** The CA certificates that strict verification trusts: the operator's file, the system's, or Mozilla's as node has them. */
export function findCaBundle(given: string, edgeDir: string): string {
  if (given !== '') return given;
  if (existsSync(SYSTEM_BUNDLE)) return SYSTEM_BUNDLE;
  const file = join(edgeDir, 'ca-bundle.pem');
  writeFileAtomically(file, `${rootCertificates.join('\n')}\n`);
  return file;
}
