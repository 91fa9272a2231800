import {
  type AnswerOf,
  API_BASE,
  type Operation,
  type OperationCall,
  type Page,
  type ParsedPart,
  type Rate,
  scopeForQuery,
  scopesOf,
  type TokenScope,
} from '@cordon/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { z } from 'zod';
import type { Environment } from '../settings/env.ts';
import { createAccountLanes, isRead, laneOf } from './account-lanes.ts';
import { actorOf, isOperator, sourceOf } from './actor.ts';
import { type Authenticator, bearerOf, type MachinePrincipal, type UserPrincipal } from './auth.ts';
import { AppError, fieldErrorsFrom, notFound } from './errors.ts';
import type { Idempotency } from './idempotency.ts';
import type { RateLimit, RateLimits } from './rate-limit.ts';
import { compilePick } from './response.ts';

type PrincipalOf<Op> = Op extends { readonly auth: 'user' }
  ? UserPrincipal
  : Op extends { readonly auth: 'machine' }
    ? MachinePrincipal
    : undefined;

/** One call, everything checked by the contract. */
export interface Call<Op extends Operation> extends Omit<OperationCall<Op>, 'body'> {
  readonly body: Op extends { readonly consumes: string } ? NodeJS.ReadableStream : ParsedPart<Op, 'body'>;
  /** Revision of If-Match, where the operation asks for it. */
  readonly ifMatch: Op extends { readonly ifMatch: true } ? number : undefined;
  readonly principal: PrincipalOf<Op>;
  readonly req: FastifyRequest;
  /** For streaming handlers, which `hijack()` it, and for headers. */
  readonly reply: FastifyReply;
}

/** A streaming operation answers nothing and writes to `reply.raw`. */
export type Handler<Op extends Operation> = (
  call: Call<Op>,
) => Op extends { readonly streams: string } ? Promise<void> : AnswerOf<Op>;
export type Handlers<Operations extends Record<string, Operation>> = {
  readonly [Name in keyof Operations]: Handler<Operations[Name]>;
};

/** Mounts operations; does not compile while the handler of one is missing. */
export type Mount = <const Operations extends Record<string, Operation>>(
  operations: Operations,
  handlers: Handlers<Operations>,
) => void;

declare module 'fastify' {
  interface FastifyRequest {
    principal: UserPrincipal | MachinePrincipal | undefined;
  }
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

const STREAM_BODY_BYTES_MAX = 17 * 1024 * 1024;

/** `"12"`, `W/"12"` or `12`. `*` is refused: an edit says what it was based on. */
export function parseIfMatch(header: string | undefined): number {
  if (header === undefined || header.trim() === '') throw new AppError('PRECONDITION_REQUIRED');
  const match = /^(?:W\/)?"?(\d{1,9})"?$/.exec(header.trim());
  if (!match) throw new AppError('BAD_REQUEST', { message: 'If-Match must be a revision, as in "12".' });
  return Number(match[1]);
}

/** Whether the header asks for what leaves out what the caller knows (RFC 7240 4.2). */
const prefersMinimal = (header: unknown): boolean => /(^|[,\s])return="?minimal"?\s*($|[,;])/i.test(String(header));

const scopeMissing = (scope: string) => new AppError('SCOPE_MISSING', { params: { SCOPE_MISSING: { scope } } });

const hasScope = ({ scopes }: Pick<UserPrincipal, 'scopes'>, scope: TokenScope): boolean =>
  scopes === 'all' || scopes.includes(scope);

function requireScope(scope: TokenScope, principal: Pick<UserPrincipal, 'scopes'>): void {
  if (!hasScope(principal, scope)) throw scopeMissing(scope);
}

/** Roles, scopes and state of the account against what the operation asks for. */
export function authorize(
  operation: Pick<Operation, 'roles' | 'scope' | 'narrowScope' | 'method'>,
  principal: UserPrincipal,
): void {
  for (const role of operation.roles ?? []) {
    if (!principal.roles.includes(role)) throw new AppError('ROLE_MISSING', { params: { ROLE_MISSING: { role } } });
  }
  const scopes = scopesOf(operation);
  const isNarrow = operation.narrowScope !== undefined && hasScope(principal, operation.narrowScope);
  if (!isNarrow) for (const scope of scopes) requireScope(scope, principal);
  if (scopes.length === 0 && principal.scopes !== 'all') throw scopeMissing('none');
  if (principal.is_suspended && operation.method !== 'GET') throw new AppError('ACCOUNT_SUSPENDED');
}

/** Whether a body selects domains by a filter that not all of them meet. */
function hasConditions(body: unknown): boolean {
  const { filter } = (body as { selection?: { filter?: object } } | undefined)?.selection ?? {};
  return Object.values(filter ?? {}).some((condition) => condition !== undefined);
}

/** What `filterScope` asks for, of who has not all of `scope`. */
function requireFilterScope(operation: Operation, principal: UserPrincipal, body: unknown): void {
  const { filterScope } = operation;
  if (filterScope === undefined || !hasConditions(body)) return;
  if (!scopesOf(operation).every((scope) => hasScope(principal, scope))) requireScope(filterScope, principal);
}

/** Throws REALM_MISMATCH unless the header names the issuer's realm; API tokens need none (product design, "API"). */
export function checkRealm(env: Environment, principal: UserPrincipal, header: unknown): void {
  if (principal.kind === 'user' && header !== env.realm) throw new AppError('REALM_MISMATCH');
}

/** Puts what a handler answered into the body that the contract declares. */
function wrapperOf({ ok }: Operation): (answer: unknown, query: unknown) => unknown {
  const shape = ok instanceof z.ZodObject ? ok.shape : {};
  if ('result' in shape) return (result) => ({ success: true, result });
  if ('perpage' in shape)
    return (answer, query) => {
      const { page, perpage } = query as { page: number; perpage: number };
      return { success: true, ...(answer as object), page, perpage };
    };
  return (answer) => ({ success: true, ...(answer as object | undefined) });
}

function pageOf(query: unknown): Page | undefined {
  const { page, perpage } = (query ?? {}) as { page?: number; perpage?: number };
  return page === undefined || perpage === undefined ? undefined : { limit: perpage, offset: (page - 1) * perpage };
}

/** Of an operation that takes no query: what it would ignore is told, as by one that takes some. */
const noQuery = z.strictObject({});

function parsePart(schema: z.ZodType | undefined, input: unknown): unknown {
  if (!schema) return undefined;
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw fieldErrorsFrom(result.error);
}

export interface MountOptions {
  readonly env: Environment;
  readonly authenticator: Authenticator;
  readonly idempotency: Idempotency;
  readonly rates: RateLimits;
  /** Checks every response by its whole schema, and answers 500 for one that does not fit. For tests. */
  readonly checkResponses: boolean;
}

export function createMount(app: FastifyInstance, options: MountOptions): Mount {
  const { env, authenticator, idempotency } = options;
  const buckets = new Map<string, RateLimit>();
  const lanes = createAccountLanes();

  async function authenticate(req: FastifyRequest, operation: Operation): Promise<void> {
    if (operation.auth === 'public') return;
    const bearer = bearerOf(req.headers.authorization);
    if (operation.auth === 'machine') {
      req.principal = await authenticator.authenticateMachine(bearer);
      return;
    }
    const principal = await authenticator.authenticateUser(bearer, req.ip);
    checkRealm(env, principal, req.headers.realm);
    authorize(operation, principal);
    req.principal = principal;
  }

  /** Throws TOO_MANY_REQUESTS when the caller has called too often, or brought too many items. */
  async function takeFromRate({ principal, ip }: FastifyRequest, rate: Rate, tokens: number): Promise<void> {
    if (rate.exemptsOperators && principal && principal.kind !== 'machine' && isOperator(principal)) return;
    const bucket = buckets.get(rate.name) ?? options.rates.of(rate);
    buckets.set(rate.name, bucket);
    const caller = principal === undefined ? ip : principal.kind === 'machine' ? principal.id : principal.account_id;
    await bucket.require(caller, tokens);
  }

  async function parseBody(req: FastifyRequest, { body, itemRate }: Operation): Promise<unknown> {
    const parsed = parsePart(body, req.body ?? {});
    const items = itemRate ? ((parsed as Record<string, unknown[]>)[itemRate.field]?.length ?? 0) : 0;
    if (itemRate && items > 0) await takeFromRate(req, itemRate.rate, items);
    return parsed;
  }

  function checkMediaType(req: FastifyRequest, operation: Operation): void {
    const given = req.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
    if (given === undefined) return;
    const wanted = operation.consumes ?? 'application/json';
    if (given !== wanted) throw new AppError('UNSUPPORTED_MEDIA_TYPE', { message: `Send the body as ${wanted}.` });
  }

  function mountOne(operation: Operation, handler: Handler<Operation>): void {
    const wrap = wrapperOf(operation);
    const pickBy = (ok: z.ZodType) => (options.checkResponses ? (value: unknown) => ok.parse(value) : compilePick(ok));
    const pick = pickBy(operation.ok);
    const pickMinimal = operation.okMinimal && pickBy(operation.okMinimal);
    app.route({
      method: operation.method as HTTPMethods,
      url: API_BASE + operation.path.replace(/\{(\w+)\}/g, ':$1'),
      config: { operation },
      ...(operation.consumes ? { bodyLimit: STREAM_BODY_BYTES_MAX } : {}),
      ...(operation.bodyBytesMax === undefined ? {} : { bodyLimit: operation.bodyBytesMax }),
      onRequest: async (req) => {
        await authenticate(req, operation);
        checkMediaType(req, operation);
        // Before the body is read.
        if (operation.rate !== 'none') await takeFromRate(req, operation.rate, 1);
      },
      handler: async (req, reply) => {
        const params = operation.params?.safeParse(req.params);
        // What cannot be an id is the id of nothing.
        if (params && !params.success) throw notFound();
        const query = parsePart(operation.query ?? noQuery, req.query);
        const person = req.principal?.kind === 'machine' ? undefined : req.principal;
        const scope = scopeForQuery(operation, query);
        if (scope && person) requireScope(scope, person);
        const body = operation.consumes ? req.body : await parseBody(req, operation);
        if (person) requireFilterScope(operation, person, body);
        const isMinimal = pickMinimal !== undefined && prefersMinimal(req.headers.prefer);
        if (isMinimal) reply.header('preference-applied', 'return=minimal');
        const call = {
          params: params?.data,
          query,
          body,
          ifMatch: operation.ifMatch ? parseIfMatch(req.headers['if-match']) : undefined,
          prefersMinimal: isMinimal,
          principal: req.principal,
          actor: person && actorOf(person, sourceOf(req)),
          page: pageOf(query),
          req,
          reply,
        } as unknown as Call<Operation>;
        if (operation.streams) {
          await handler(call);
          return reply;
        }
        const answer = async () => {
          const value = wrap(await handler(call), query);
          return { status: operation.status ?? 200, payload: JSON.stringify((isMinimal ? pickMinimal : pick)(value)) };
        };
        const run = async () =>
          req.headers['idempotency-key'] === undefined || isRead(operation)
            ? { ...(await answer()), isReplay: false }
            : idempotency.run(req, answer);
        const { status, payload, isReplay } = await (person
          ? lanes.run(person.account_id, laneOf(operation, query), run)
          : run());
        if (isReplay) reply.header('idempotent-replayed', 'true');
        return reply.code(status).type('application/json; charset=utf-8').send(payload);
      },
    });
  }

  return (operations, handlers) => {
    for (const [name, operation] of Object.entries(operations) as [string, Operation][]) {
      mountOne(operation, handlers[name as keyof typeof handlers] as unknown as Handler<Operation>);
    }
  };
}
