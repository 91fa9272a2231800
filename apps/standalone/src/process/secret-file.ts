import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';

/** The secret in `file` (0600), made of 32 random bytes the first time. */
export function readOrCreateSecret(file: string, encoding: 'base64' | 'base64url'): string {
  const stored = readSecret(file);
  if (stored !== undefined) return stored;
  const secret = randomBytes(32).toString(encoding);
  writeSecret(file, secret);
  return secret;
}

/** The stored secret, or undefined when there is none. Tightens the mode of a file that others could read. */
export function readSecret(file: string): string | undefined {
  let content: string;
  try {
    content = readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  if (content === '') return undefined;
  chmodSync(file, 0o600);
  return content;
}

/** Writes whole or not at all: a half-written key would make what it encrypts unreadable for ever. */
export function writeSecret(file: string, secret: string): void {
  const next = `${file}.next`;
  const descriptor = openSync(next, 'w', 0o600);
  try {
    writeSync(descriptor, `${secret}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(next, file);
}
