import { z } from 'zod';

const BEGIN_CERTIFICATE = '-----BEGIN CERTIFICATE-----';
const END_CERTIFICATE = '-----END CERTIFICATE-----';
const BEGIN_PRIVATE_KEY = '-----BEGIN PRIVATE KEY-----';
const END_PRIVATE_KEY = '-----END PRIVATE KEY-----';

const isBetween = (text: string, begin: string, end: string): boolean => text.startsWith(begin) && text.endsWith(end);

/** Spec section 5, "Certificates": begins and ends with the markers of RFC 7468. */
export const certificatePem = z
  .string()
  .trim()
  .max(65_536)
  .refine((text) => isBetween(text, BEGIN_CERTIFICATE, END_CERTIFICATE), 'CERTIFICATE_MARKERS')
  .describe('Certificate chain in PEM, the leaf first.');
export const privateKeyPem = z
  .string()
  .trim()
  .max(32_768)
  .refine((text) => isBetween(text, BEGIN_PRIVATE_KEY, END_PRIVATE_KEY), 'PRIVATE_KEY_MARKERS')
  .describe('Private key in PEM (PKCS #8).');
