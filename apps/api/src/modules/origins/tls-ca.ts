import { X509Certificate } from 'node:crypto';
import type { FieldErrorCode } from '@cordon/contract';
import { fieldErrors } from '../../platform/errors.ts';

/** What is shown of one certificate. */
export interface CertificateFacts {
  readonly subject: string;
  readonly issuer: string;
  readonly valid_from: string;
  readonly expires_at: string;
  /** It may sign other certificates (basicConstraints); false: a self-signed server certificate. */
  readonly is_ca: boolean;
  readonly self_signed: boolean;
  readonly fingerprint_sha256: string;
}

export type TlsCaResult =
  | { readonly ok: true; readonly pem: string; readonly certificates: CertificateFacts[] }
  | { readonly ok: false; readonly code: FieldErrorCode; readonly params?: Record<string, string | number> };

const CERTIFICATES_MAX = 10;
const BLOCK = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/** `CN=Example CA, O=Example` from node's lines. */
const oneLine = (name: string): string => name.split('\n').reverse().join(', ');

function factsOf(certificate: X509Certificate): CertificateFacts {
  return {
    subject: oneLine(certificate.subject),
    issuer: oneLine(certificate.issuer),
    valid_from: new Date(certificate.validFrom).toISOString(),
    expires_at: new Date(certificate.validTo).toISOString(),
    is_ca: certificate.ca,
    self_signed: certificate.checkIssued(certificate) && certificate.verify(certificate.publicKey),
    fingerprint_sha256: certificate.fingerprint256,
  };
}

/**
 * Reads the trust anchors of a domain's origins: CA certificates or self-signed server certificates. At least one must
 * be self-signed, because a chain is only complete at a self-signed certificate (OpenSSL without partial chains).
 */
export function readTlsCa(text: string, now: Date): TlsCaResult {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) return { ok: false, code: 'TLS_CA_IS_KEY' };
  const blocks = text.match(BLOCK) ?? [];
  if (blocks.length === 0) return { ok: false, code: 'CERTIFICATE_MARKERS' };
  if (blocks.length > CERTIFICATES_MAX) return { ok: false, code: 'TOO_MANY', params: { maximum: CERTIFICATES_MAX } };
  let parsed: X509Certificate[];
  try {
    parsed = blocks.map((block) => new X509Certificate(block));
  } catch {
    return { ok: false, code: 'TLS_CA_UNREADABLE' };
  }
  const certificates = parsed.map(factsOf);
  const isExpired = ({ expires_at }: CertificateFacts) => Date.parse(expires_at) <= now.getTime();
  if (certificates.some(isExpired)) return { ok: false, code: 'TLS_CA_EXPIRED' };
  const isUsable = ({ is_ca, self_signed }: CertificateFacts) => is_ca || self_signed;
  if (!certificates.every(isUsable) || !certificates.some(({ self_signed }) => self_signed))
    return { ok: false, code: 'TLS_CA_NOT_ROOT' };
  return { ok: true, pem: parsed.map((certificate) => certificate.toString()).join(''), certificates };
}

/** The facts of certificates; throws what is wrong with them at the field. */
export function requireTlsCa(field: string, text: string, now: Date): CertificateFacts[] {
  const read = readTlsCa(text, now);
  if (!read.ok) throw fieldErrors({ [field]: read.code }, read.params ? { [field]: read.params } : {});
  return read.certificates;
}
