import { createHash, createHmac, createPrivateKey, createPublicKey, sign } from 'node:crypto';

/**
 * The certificate of the shields of a czone, which all of its nodes make of the key that they share, each by itself and byte by byte the
 * same: who shows it has the key. There is no authority, nothing to renew and nothing to hand round.
 */
export interface ShieldCertificate {
  readonly certificate: string;
  readonly privateKey: string;
}

/** Of a name that no domain has, so that no visitor's name is answered with it. */
export const shieldName = (czone: string): string => `${czone}.origin-shield.invalid`;

/** RFC 8410: an Ed25519 key in PKCS #8, up to its seed, and the algorithm. Its signatures are the same each time. */
const PRIVATE_KEY_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const ED25519 = Buffer.from('300506032b6570', 'hex');

/** X.690: type, length and contents. */
function der(type: number, ...contents: readonly Buffer[]): Buffer {
  const body = Buffer.concat(contents);
  const length =
    body.length < 128
      ? Buffer.from([body.length])
      : body.length < 256
        ? Buffer.from([0x81, body.length])
        : Buffer.from([0x82, body.length >> 8, body.length & 255]);
  return Buffer.concat([Buffer.from([type]), length, body]);
}
const SEQUENCE = 0x30;
const sequence = (...contents: readonly Buffer[]): Buffer => der(SEQUENCE, ...contents);

const COMMON_NAME = Buffer.from('0603550403', 'hex');
const ALTERNATIVE_NAME = Buffer.from('0603551d11', 'hex');

/** One name: OpenSSL keeps what it has found by it, so that another key has another. */
const nameOf = (text: string): Buffer => sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(text)))));

/** RFC 5280 4.1.2.5: it has no end of its own, the key has. */
const VALIDITY = sequence(der(0x17, Buffer.from('200101000000Z')), der(0x18, Buffer.from('99991231235959Z')));

const pem = (label: string, data: Buffer): string =>
  `-----BEGIN ${label}-----\n${data.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`;

/** @param key Of the czone, base64url. */
export function makeShieldCertificate(czone: string, key: string): ShieldCertificate {
  const seed = createHmac('sha256', Buffer.from(key, 'base64url')).update('shield certificate').digest();
  const privateKey = createPrivateKey({ key: Buffer.concat([PRIVATE_KEY_HEAD, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const hash = createHash('sha256').update(publicKey).digest();
  const name = nameOf(`origin shield ${hash.toString('hex').slice(0, 16)}`);
  const extensions = sequence(
    sequence(ALTERNATIVE_NAME, der(0x04, sequence(der(0x82, Buffer.from(shieldName(czone)))))),
  );
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), hash.subarray(0, 15)])),
    ...[ED25519, name, VALIDITY, name, publicKey],
    der(0xa3, extensions),
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign(null, body, privateKey)]));
  return {
    certificate: pem('CERTIFICATE', sequence(body, ED25519, signature)),
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
}

/** What a request to a shield is signed by: another key than that of the certificate. */
export const signingKey = (key: string): string =>
  createHmac('sha256', Buffer.from(key, 'base64url')).update('shield request').digest('hex');
