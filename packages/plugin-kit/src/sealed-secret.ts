import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';

/** How secrets of configurations travel to nodes (docs/adr/0014). Node only: the control plane seals, agents open. */

/** What a sealed secret is bound to: it opens for nothing else. */
export interface SealedFor {
  readonly accountId: string;
  /** Which the configuration has in its place. */
  readonly handle: string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const boundTo = ({ accountId, handle }: SealedFor): Buffer => Buffer.from(`${accountId} ${handle}`);

/**
 * AES-256-GCM, in base64url. The nonce is derived from the handle, which stands for one secret of one account only: sealed anew, a
 * secret is the same text, so what nodes are sent stays equal, and no nonce is used for two secrets.
 */
export function sealSecret(key: Buffer, secret: string, to: SealedFor): string {
  const nonce = createHmac('sha256', key).update(`nonce `).update(boundTo(to)).digest().subarray(0, NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(boundTo(to));
  const body = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
}

/** undefined: it was sealed with another key, for something else, or is damaged. */
export function openSecret(key: Buffer, sealed: string, to: SealedFor): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(boundTo(to))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const body = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([body, decipher.final()]).toString();
  } catch {
    return undefined;
  }
}
