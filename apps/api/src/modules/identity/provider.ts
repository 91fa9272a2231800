import type { IncomingMessage } from 'node:http';
import type { RequestSource } from '@cordon/contract';
import type { OpenidEndpoints } from '@cordon/contract/page-data';
import type { JWK } from 'jose';
import {
  type AdapterFactory,
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider';
import { claimsOf } from './claims.ts';
import type { ProviderKeys } from './provider-keys.ts';
import { errorPage, logoutPage, PAGE_POLICY, signedOutPage } from './provider-pages.ts';
import type { Person } from './repository.ts';

export const REALM_PATH = '/auth/realms/cordon';
export const CONSOLE_CLIENT_ID = 'cordon-console';
export const SCOPES = 'openid profile email offline_access';

const ROUTES = {
  authorization: '/protocol/openid-connect/auth',
  token: '/protocol/openid-connect/token',
  jwks: '/protocol/openid-connect/certs',
  revocation: '/protocol/openid-connect/revoke',
  end_session: '/protocol/openid-connect/logout',
} as const;

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
const ACCESS_TOKEN_SECONDS = 5 * MINUTE;
const INTERACTION_SECONDS = 30 * MINUTE;

/** Of the keys in provider-keys.ts. */
const SIGNING_ALGORITHM = 'ES256';

/** What the console needs of the metadata of the provider at `origin`, as its discovery document says it. */
export function endpointsAt(origin: string): OpenidEndpoints {
  const issuer = origin + REALM_PATH;
  return {
    issuer,
    authorization_endpoint: issuer + ROUTES.authorization,
    token_endpoint: issuer + ROUTES.token,
    end_session_endpoint: issuer + ROUTES.end_session,
    id_token_signing_alg_values_supported: [SIGNING_ALGORITHM],
  };
}

/** Of the issuer: where the browser is sent to sign in; its path also bounds the interaction's cookie. */
export const interactionPath = (uid: string): string => `${REALM_PATH}/interaction/${uid}`;

/** Where requests that the provider answers came from: it takes any header for the client's address itself. */
export const requestSources = new WeakMap<IncomingMessage, RequestSource>();

export interface ProviderOptions {
  /** Scheme, name and port of the brand's console. */
  readonly origin: string;
  readonly brandName: string;
  readonly keys: ProviderKeys;
  readonly adapter: AdapterFactory;
  /** The person behind a `sub` who may be signed in now. */
  readonly findActive: (subject: string) => Promise<Person | undefined>;
  /** A person ended their session. */
  readonly noteSignOut: (subject: string, source: RequestSource | undefined) => void;
}

/**
 * What the person decided in an interaction, kept in the provider's result. `create` answers the prompt of that name;
 * `must_sign_in` says that registering did not sign in, and that an older session must not stand in for it.
 */
export interface CreateResult {
  readonly must_sign_in: boolean;
}

const { Check, Prompt, base } = interactionPolicy;

function createPolicy() {
  const policy = base();
  // No consent prompt; a client that asks for it gets an error.
  policy.remove('consent');
  // OpenID Initiating User Registration 1.0. First, so that no session is asked for before.
  policy.add(new Prompt({ name: 'create', requestable: true }), 0);
  const login = policy.get('login');
  login?.checks.add(
    new Check('account_unavailable', 'the account is gone, disabled or suspended', 'login_required', (ctx) =>
      ctx.oidc.session?.accountId !== undefined && ctx.oidc.account === undefined
        ? Check.REQUEST_PROMPT
        : Check.NO_NEED_TO_PROMPT,
    ),
  );
  login?.checks.add(
    new Check('registered_elsewhere', 'registering did not sign in', 'login_required', (ctx) => {
      const { create, login: signedIn } = (ctx.oidc.result ?? {}) as { create?: CreateResult; login?: unknown };
      return create?.must_sign_in === true && signedIn === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT;
    }),
  );
  return policy;
}

const personOf = (ctx: KoaContextWithOIDC): Person | undefined =>
  (ctx.oidc.entities.Account as { person?: Person } | undefined)?.person;

/** The console is a first-party client: it is granted what it asks for, without a consent prompt. */
async function loadFirstPartyGrant(ctx: KoaContextWithOIDC, resource: string) {
  const { provider, client, session, account } = ctx.oidc;
  if (!client || !session || !account) return undefined;
  const grantId = session.grantIdFor(client.clientId);
  const kept = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  if (kept !== undefined) return kept;
  const grant = new provider.Grant({ accountId: account.accountId, clientId: client.clientId });
  grant.addOIDCScope(SCOPES);
  grant.addResourceScope(resource, SCOPES);
  await grant.save();
  return grant;
}

function cookieSettings(origin: URL, keys: readonly string[]): Configuration['cookies'] {
  // Cookies do not know ports: two instances on one machine must not sign each other out.
  const suffix = origin.port === '' ? '' : `_${origin.port}`;
  const options = { httpOnly: true, sameSite: 'lax', path: REALM_PATH, signed: true } as const;
  return {
    keys: [...keys],
    names: {
      session: `cordon_session${suffix}`,
      interaction: `cordon_interaction${suffix}`,
      resume: `cordon_resume${suffix}`,
    },
    long: options,
    // The provider bounds these to the paths they are for.
    short: { httpOnly: true, sameSite: 'lax', signed: true },
  };
}

function configurationOf(options: ProviderOptions): Configuration {
  const { origin, brandName, keys, findActive } = options;
  const resource = `${origin}/api/v1/`;
  return {
    adapter: options.adapter,
    jwks: { keys: [...keys.signing] as (JWK & { kty: 'EC' })[] },
    cookies: cookieSettings(new URL(origin), keys.cookies),
    clients: [
      {
        client_id: CONSOLE_CLIENT_ID,
        client_name: brandName,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: [`${origin}/`, `${origin}/silent.html`],
        post_logout_redirect_uris: [`${origin}/`],
        scope: SCOPES,
      },
    ],
    clientDefaults: { id_token_signed_response_alg: SIGNING_ALGORITHM },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    responseTypes: ['code'],
    scopes: SCOPES.split(' '),
    claims: {
      openid: ['sub'],
      profile: ['name', 'preferred_username', 'locale', 'realm_access', 'resource_access'],
      email: ['email', 'email_verified'],
    },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      // Ours (`userinfo` in handlers.ts): the provider's does not take tokens for a resource.
      userinfo: { enabled: false },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, indicator) => {
          if (indicator !== resource) throw new errors.InvalidTarget();
          return {
            scope: SCOPES,
            audience: resource,
            accessTokenTTL: ACCESS_TOKEN_SECONDS,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: SIGNING_ALGORITHM } },
          };
        },
      },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => logoutPage(ctx, form, brandName),
        postLogoutSuccessSource: (ctx) => signedOutPage(ctx, brandName, origin),
      },
    },
    discovery: {
      userinfo_endpoint: `${origin}${REALM_PATH}/protocol/openid-connect/userinfo`,
      prompt_values_supported: ['none', 'login', 'create'],
      ui_locales_supported: ['en', 'zh'],
    } as Configuration['discovery'],
    routes: ROUTES,
    clientBasedCORS: (_ctx, requestOrigin) => requestOrigin === origin,
    // Signing out ends refresh tokens too.
    expiresWithSession: () => true,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    ttl: {
      AccessToken: ACCESS_TOKEN_SECONDS,
      AuthorizationCode: MINUTE,
      IdToken: ACCESS_TOKEN_SECONDS,
      Interaction: INTERACTION_SECONDS,
      RefreshToken: (ctx, _token, _client) => {
        const rotated = ctx.oidc.entities.RotatedRefreshToken;
        return rotated ? Math.max(1, rotated.remainingTTL) : 14 * DAY;
      },
      Session: 14 * DAY,
      Grant: 14 * DAY,
    },
    interactions: { policy: createPolicy(), url: (_ctx, interaction) => interactionPath(interaction.uid) },
    loadExistingGrant: (ctx) => loadFirstPartyGrant(ctx, resource),
    async findAccount(_ctx, subject) {
      const person = await findActive(subject);
      if (person === undefined) return undefined;
      return { accountId: subject, person, claims: () => claimsOf(person) };
    },
    extraTokenClaims(ctx, token) {
      const person = personOf(ctx);
      if (person === undefined) return undefined;
      const { sub: _, ...claims } = claimsOf(person);
      return { ...claims, azp: CONSOLE_CLIENT_ID, typ: 'Bearer', sid: (token as { sessionUid?: string }).sessionUid };
    },
    renderError: (ctx, out) => errorPage(ctx, out, brandName, origin),
  };
}

/** The OpenID provider of one brand's address. Providers of several addresses share keys and database. */
export function createProvider(options: ProviderOptions): Provider {
  const provider = new Provider(`${options.origin}${REALM_PATH}`, configurationOf(options));
  // The address is set by `handlers.ts` from the brand, never taken from the request.
  provider.proxy = true;
  provider.on('end_session.success', (ctx) => {
    const subject = ctx.oidc.session?.accountId;
    // Without `logout` the session stays: the person chose so.
    if (subject !== undefined && ctx.oidc.params?.logout) options.noteSignOut(subject, requestSources.get(ctx.req));
  });
  provider.use(async (ctx, next) => {
    ctx.set('Content-Security-Policy', PAGE_POLICY);
    await next();
    sendToConsole(ctx as KoaContextWithOIDC, options.origin);
  });
  return provider;
}

/** The provider sends to the interaction's own path (its cookie is bound to that); people see the console's page. */
function sendToConsole(ctx: KoaContextWithOIDC, origin: string): void {
  const interaction = ctx.status === 303 ? (ctx.oidc as typeof ctx.oidc | undefined)?.entities.Interaction : undefined;
  if (interaction === undefined || ctx.response.get('location') !== interactionPath(interaction.uid)) return;
  const page = interaction.prompt.name === 'create' ? 'register' : 'login';
  ctx.redirect(`${origin}/#/pages/${page}?interaction=${interaction.uid}`);
}
