import { randomBytes, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { Db } from '../../platform/database.ts';
import { keepDeployment, readDeployment } from '../../platform/deployment.ts';
import type { SecretBox } from '../../platform/secrets.ts';

/** Keys of the embedded provider. The first of each signs; all verify. */
export interface ProviderKeys {
  /** Private JWKs, ES256. */
  readonly signing: readonly JWK[];
  /** Secrets of the cookies' signatures. */
  readonly cookies: readonly string[];
}

const NAME = 'identity/provider-keys';

async function generate(): Promise<ProviderKeys> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid: randomUUID(), alg: 'ES256', use: 'sig' };
  return { signing: [jwk], cookies: [randomBytes(32).toString('base64url')] };
}

/**
 * The keys of this deployment, made on first use and kept sealed in the database. Processes that start together agree:
 * the first to write wins. Throws when CORDON_SECRET_KEY is not the one they were sealed with.
 */
export async function loadProviderKeys(db: Db, secrets: SecretBox): Promise<ProviderKeys> {
  const open = (value: Buffer): ProviderKeys => {
    try {
      return JSON.parse(secrets.open(value, NAME).toString()) as ProviderKeys;
    } catch (cause) {
      throw new Error('The sign-in keys do not open: CORDON_SECRET_KEY is not the one of this database.', { cause });
    }
  };
  const kept = await readDeployment(db, NAME);
  if (kept !== undefined) return open(kept);
  return open(await keepDeployment(db, NAME, secrets.seal(JSON.stringify(await generate()), NAME)));
}
