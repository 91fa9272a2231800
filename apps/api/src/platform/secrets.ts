import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts what the database keeps secret, and derives keys, all from CORDON_SECRET_KEY. */
export interface SecretBox {
  /** AES-256-GCM; `context` names the place (table and row) so that a ciphertext moved elsewhere does not open. */
  seal(plain: Buffer | string, context: string): Buffer;
  /** Throws when the text was not sealed here, for this context, with this key. */
  open(sealed: Buffer, context: string): Buffer;
  /** A key of 32 bytes for one purpose, always the same. */
  derive(purpose: string): Buffer;
}

export function createSecretBox(secretKey: Buffer): SecretBox {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secretKey, '', `cordon/${purpose}`, 32));
  const key = derive('at-rest');
  return {
    derive,
    seal(plain, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, context) {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    },
  };
}

export const sha256 = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest();

/** What credentials begin with, of people's tokens and of machines: leaked ones are recognised by it. */
export const TOKEN_PREFIX = 'cdn_';
export const MACHINE_PREFIX = 'node_';

/** A new secret of 256 bits behind a prefix. */
export const newCredential = (prefix: typeof TOKEN_PREFIX | typeof MACHINE_PREFIX): string =>
  prefix + randomBytes(32).toString('base64url');

/** Compares without revealing by its time where texts differ. */
export function equalSecrets(left: string, right: string): boolean {
  return timingSafeEqual(sha256(left), sha256(right));
}
