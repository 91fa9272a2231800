import { identityOperations } from '@cordon/contract';
import type { OpenidEndpoints } from '@cordon/contract/page-data';
import { createLocalJWKSet } from 'jose';
import type { Provider } from 'oidc-provider';
import type { Db } from '../../platform/database.ts';
import type { ApiModule, Platform } from '../../platform/module.ts';
import type { Brand, Brands, SignIn } from '../brands/service.ts';
import { createAttemptLimits } from './attempt-limits.ts';
import { mountProvider } from './handlers.ts';
import { createPasswordHandlers } from './password-handlers.ts';
import { createPasswords } from './passwords.ts';
import { CONSOLE_CLIENT_ID, createProvider, endpointsAt, REALM_PATH } from './provider.ts';
import { createProviderAdapter } from './provider-adapter.ts';
import { loadProviderKeys } from './provider-keys.ts';
import { isSessionOpen, purge } from './provider-repository.ts';
import { createProvisioning } from './provisioning.ts';
import { purgeAttempts } from './repository.ts';
import { type Accounts, createIdentityService, type IdentityService } from './service.ts';

export interface IdentityModuleOptions {
  readonly platform: Platform;
  readonly brands: Brands;
  readonly accounts: Accounts;
}

export interface IdentityModule extends ApiModule {
  readonly service: IdentityService;
  /** Where people of a brand sign in. */
  signInOf(brand: Brand): SignIn;
  /** The endpoints of a brand's own provider; null with an external issuer, which has to be asked. */
  endpointsOf(brand: Brand): OpenidEndpoints | null;
}

/** Forgets sessions, tokens and attempts that are over. Runs as a recurring job. */
export async function purgeIdentity(db: Db): Promise<void> {
  await purgeAttempts(db);
  while ((await purge(db)) > 0);
}

/** Sign-in: the embedded provider, or with OIDC_ISSUER only the users that an external one sends. */
export async function createIdentityModule({
  platform,
  brands,
  accounts,
}: IdentityModuleOptions): Promise<IdentityModule> {
  const { env, db, secrets, authenticator, log } = platform;
  const limits = createAttemptLimits(db, secrets);
  const service = createIdentityService({ db, secrets, limits, passwords: createPasswords(), accounts, log });

  const { hasExternalIssuer } = env;
  const passwordHandlers = createPasswordHandlers({ service, brands, hasExternalIssuer });

  const shared = {
    service,
    jobs: { 'purge-identity': () => purgeIdentity(db) },
    recurring: [{ name: 'purge-identity', pattern: '*/10 * * * *' }],
  };

  if (hasExternalIssuer) {
    authenticator.provisionWith(createProvisioning({ db, accounts, brand: brands.fallback.key }));
    return {
      ...shared,
      signInOf: () => ({ authority: env.oidcIssuer, client_id: CONSOLE_CLIENT_ID, realm: env.realm }),
      endpointsOf: () => null,
      mount: (_app, mount) => mount(identityOperations, passwordHandlers),
    };
  }

  const keys = await loadProviderKeys(db, secrets);
  const store = { db, secrets };
  const adapter = createProviderAdapter(store);
  const providers = new Map<string, Provider>();
  for (const brand of brands.all) {
    const made = createProvider({
      origin: brand.origin,
      brandName: brand.name,
      keys,
      adapter,
      findActive: service.findActive,
      noteSignOut: (subject, source) =>
        void service
          .noteSignOut(subject, source)
          .catch((err) => log.error({ err }, 'a sign-out could not be written to the audit log')),
    });
    made.on('server_error', (_ctx, err) => log.error({ err }, 'the identity provider failed'));
    providers.set(brand.key, made);
  }
  authenticator.trust({
    keys: createLocalJWKSet({ keys: keys.signing.map(({ d: _, ...publicKey }) => publicKey) }),
    issuers: brands.all.map((brand) => brand.origin + REALM_PATH),
    audiences: brands.all.map((brand) => `${brand.origin}/api/v1/`),
    // Signing out ends access tokens too.
    isSessionOpen: async ({ sid }) => typeof sid === 'string' && isSessionOpen(store, sid),
  });
  return {
    ...shared,
    signInOf: (brand) => ({ authority: brand.origin + REALM_PATH, client_id: CONSOLE_CLIENT_ID, realm: env.realm }),
    endpointsOf: ({ origin }) => endpointsAt(origin),
    mount(app, mount) {
      mount(identityOperations, passwordHandlers);
      const providerOf = (brand: Brand): Provider => providers.get(brand.key) as Provider;
      mountProvider(app, { brands, providerOf, service, authenticator, rates: platform.rates });
    },
  };
}
