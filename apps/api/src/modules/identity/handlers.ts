import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { decodeJwt } from 'jose';
import { errors, type InteractionResults, type Provider } from 'oidc-provider';
import type { z } from 'zod';
import { sourceOf } from '../../platform/actor.ts';
import { type Authenticator, bearerOf } from '../../platform/auth.ts';
import { AppError, fieldErrorsFrom } from '../../platform/errors.ts';
import type { RateLimits } from '../../platform/rate-limit.ts';
import type { Brand, Brands } from '../brands/service.ts';
import { subscriberOf } from './attempt-limits.ts';
import { claimsOf } from './claims.ts';
import { loginBody, registerBody } from './interaction-bodies.ts';
import { CONSOLE_CLIENT_ID, type CreateResult, REALM_PATH, requestSources } from './provider.ts';
import type { Person } from './repository.ts';
import type { IdentityService } from './service.ts';

export interface IdentityHandlersOptions {
  readonly brands: Brands;
  readonly providerOf: (brand: Brand) => Provider;
  readonly service: IdentityService;
  readonly authenticator: Authenticator;
  readonly rates: RateLimits;
}

const BODY_BYTES_MAX = 16_384;

const expired = (cause?: unknown): AppError =>
  new AppError('INTERACTION_EXPIRED', { message: 'This sign-in has expired; start again.', cause });

/** The embedded provider's endpoints, its interactions for the console's pages, and its userinfo. */
export function mountProvider(app: FastifyInstance, options: IdentityHandlersOptions): void {
  const brandOf = (req: FastifyRequest): Brand => options.brands.byHostname(req.hostname) ?? options.brands.fallback;
  void app.register(async (scope) => mountInteractions(scope, brandOf, options), { prefix: REALM_PATH });
  void app.register(async (scope) => mountEndpoints(scope, brandOf, options), { prefix: REALM_PATH });
}

/** Everything else below the realm is the provider's; bodies are left for it to read. */
function mountEndpoints(
  app: FastifyInstance,
  brandOf: (req: FastifyRequest) => Brand,
  options: IdentityHandlersOptions,
): void {
  const authorizationRate = options.rates.of({ name: 'authorizations', burst: 600, perMinute: 300 });
  const tokenRate = options.rates.of({ name: 'provider-writes', burst: 600, perMinute: 300 });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_req, _payload, done) => done(null));
  app.all('/*', async (req, reply) => {
    const { raw } = req;
    // The router also takes absolute and escaped addresses; the provider would build its own from them.
    if (!raw.url?.startsWith(`${REALM_PATH}/`)) throw new AppError('NOT_FOUND');
    // Each authorization request leaves a row for half an hour; what is posted leaves tokens.
    const isAuthorization = raw.url.startsWith(`${REALM_PATH}/protocol/openid-connect/auth`);
    const rate = isAuthorization ? authorizationRate : req.method === 'POST' ? tokenRate : undefined;
    if (rate && !(await rate.take(subscriberOf(req.ip)))) throw new AppError('TOO_MANY_REQUESTS');
    const brand = brandOf(req);
    prepare(raw, brand);
    requestSources.set(raw, sourceOf(req));
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value);
    reply.hijack();
    // The provider's own paths begin below the realm; it learns the mount from the difference.
    Object.assign(raw, { originalUrl: raw.url, url: raw.url.slice(REALM_PATH.length) });
    void options.providerOf(brand).callback()(raw, reply.raw);
  });
}

/** The provider builds addresses from these: they are the brand's, whatever the request claims. */
function prepare(raw: FastifyRequest['raw'], brand: Brand): void {
  const { host, protocol } = new URL(brand.origin);
  raw.headers.host = host;
  raw.headers['x-forwarded-host'] = host;
  raw.headers['x-forwarded-proto'] = protocol.slice(0, -1);
}

function mountInteractions(
  app: FastifyInstance,
  brandOf: (req: FastifyRequest) => Brand,
  options: IdentityHandlersOptions,
): void {
  const { service, providerOf, authenticator } = options;

  async function interactionOf(req: FastifyRequest, reply: FastifyReply) {
    const brand = brandOf(req);
    prepare(req.raw, brand);
    const provider = providerOf(brand);
    try {
      const interaction = await provider.interactionDetails(req.raw, reply.raw);
      if (interaction.uid !== (req.params as { uid: string }).uid) throw expired();
      return { brand, provider, interaction };
    } catch (error) {
      throw error instanceof errors.SessionNotFound ? expired(error) : error;
    }
  }

  /** Only the console's own pages post here, as JSON: other sites cannot, not even with the browser's cookies. */
  function checkSource(req: FastifyRequest): void {
    if (req.headers.origin !== brandOf(req).origin)
      throw new AppError('FORBIDDEN', { message: 'Sign-in forms are taken from the console itself only.' });
    if (req.headers['content-type']?.split(';')[0]?.trim().toLowerCase() !== 'application/json')
      throw new AppError('UNSUPPORTED_MEDIA_TYPE');
  }

  const parse = <Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> => {
    const parsed = schema.safeParse(body ?? {});
    if (!parsed.success) throw fieldErrorsFrom(parsed.error);
    return parsed.data;
  };

  const post = (path: string, decide: (req: FastifyRequest, brand: Brand) => Promise<Person | null>): void => {
    app.route({
      method: 'POST',
      url: `/interaction/:uid/${path}`,
      bodyLimit: BODY_BYTES_MAX,
      onRequest: async (req) => checkSource(req),
      handler: async (req, reply) => {
        const { brand, provider } = await interactionOf(req, reply);
        const person = await decide(req, brand);
        const create: CreateResult = { must_sign_in: person === null };
        const login = person === null ? undefined : { accountId: person.subject, amr: ['pwd'] };
        const result: InteractionResults = { create, ...(login ? { login } : {}) };
        const redirect_to = await provider.interactionResult(req.raw, reply.raw, result, {
          mergeWithLastSubmission: true,
        });
        return reply.header('cache-control', 'no-store').send({ success: true, redirect_to });
      },
    });
  };

  post('login', (req) => service.signIn({ ...parse(loginBody, req.body), source: sourceOf(req) }));
  post('register', (req, brand) =>
    service.register({ ...parse(registerBody, req.body), source: sourceOf(req), brand }),
  );

  app.get('/interaction/:uid', async (req, reply) => {
    const { brand, interaction } = await interactionOf(req, reply);
    const last = interaction.lastSubmission as { create?: CreateResult } | undefined;
    const result = {
      prompt: interaction.prompt.name === 'create' ? 'create' : 'login',
      brand: brand.key,
      client: { client_id: CONSOLE_CLIENT_ID, name: brand.name },
      terms_version: brand.terms_version,
      terms_url: brand.terms_url,
      login_hint: typeof interaction.params.login_hint === 'string' ? interaction.params.login_hint : null,
      after_registration: last?.create?.must_sign_in === true,
    };
    return reply.header('cache-control', 'no-store').send({ success: true, result });
  });

  app.route({
    method: ['GET', 'POST'],
    url: '/protocol/openid-connect/userinfo',
    handler: async (req, reply) => {
      const bearer = bearerOf(req.headers.authorization);
      const principal = await authenticator.authenticateUser(bearer);
      const subject = principal.kind === 'user' ? decodeJwt(bearer).sub : undefined;
      const person = subject === undefined ? undefined : await service.findActive(subject);
      if (person === undefined) throw new AppError('UNAUTHENTICATED');
      return reply.header('cache-control', 'no-store').send(claimsOf(person));
    },
  });
}
