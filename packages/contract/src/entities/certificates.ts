import { z } from 'zod';
import { certificateStatus, certificateType } from '../enumerations.ts';
import { text } from '../text.ts';
import { timestamp } from './routes.ts';

const BEGIN_CERTIFICATE = '-----BEGIN CERTIFICATE-----';
const END_CERTIFICATE = '-----END CERTIFICATE-----';
const BEGIN_PRIVATE_KEY = '-----BEGIN PRIVATE KEY-----';
const END_PRIVATE_KEY = '-----END PRIVATE KEY-----';

const isBetween = (text: string, begin: string, end: string): boolean => text.startsWith(begin) && text.endsWith(end);

/** Spec section 5, "Certificates": begins and ends with the markers of RFC 7468. */
export const certificatePem = text(65_536, { trim: true })
  .refine((text) => isBetween(text, BEGIN_CERTIFICATE, END_CERTIFICATE), 'CERTIFICATE_MARKERS')
  .describe('Certificate chain in PEM, the leaf first.');
export const privateKeyPem = text(32_768, { trim: true })
  .refine((text) => isBetween(text, BEGIN_PRIVATE_KEY, END_PRIVATE_KEY), 'PRIVATE_KEY_MARKERS')
  .describe('Private key in PEM (PKCS #8).');

/** Spec section 3, "Certificate". */
export const certificate = z.object({
  id: z.uuid(),
  type: certificateType,
  domains: z.array(text(255)).max(100),
  status: certificateStatus,
  issue_state: text(64).nullable().describe('Step of a running issue; null when none runs.'),
  issued_at: timestamp.nullable(),
  expired_at: timestamp.nullable(),
  auto_renew: z.boolean(),
  subject: text(1024),
  issuer: text(1024),
  sans: z.array(text(255)).max(100),
});
export type Certificate = z.infer<typeof certificate>;
