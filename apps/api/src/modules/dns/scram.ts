import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

/** PostgreSQL's own default. */
const ITERATIONS = 4096;
const SALT_BYTES = 16;

/**
 * What PostgreSQL keeps of a password (SCRAM-SHA-256, RFC 5803), so that the password itself is never in a statement.
 * @param password ASCII, which needs no normalisation.
 */
export function scramVerifier(password: string): string {
  const salt = randomBytes(SALT_BYTES);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  const serverKey = hmac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
