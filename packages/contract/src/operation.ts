import { z } from 'zod';
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from './constants.ts';
import type { Role } from './enumerations.ts';
import type { Rate } from './rates.ts';

/**
 * Who may call an operation. `public`: without credentials. `user`: a bearer token of a user or a personal API token.
 * `machine`: the credential of an edge node.
 */
type OperationAuth = 'public' | 'user' | 'machine';

/** What an API token must hold to call an operation; tokens of the console hold all. */
export const tokenScope = z.enum([
  'domains:read',
  'domains:write',
  'cache:clear',
  'cache:prefetch',
  'traffic:read',
  'account:read',
  'audit:read',
]);
export type TokenScope = z.infer<typeof tokenScope>;

/** One call of the API: the contract that server, client, OpenAPI document and tests are made from. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api/v1/`, with trailing slash, parameters as `{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly auth: OperationAuth;
  readonly roles?: readonly Role[];
  /** Of several a token needs all. */
  readonly scope?: TokenScope | readonly TokenScope[];
  /** In the place of `scope`, this one suffices: it opens less than that. */
  readonly narrowScope?: TokenScope;
  /**
   * What a token that has `narrowScope` alone needs besides where the filter of the body's selection has conditions: how many domains meet
   * them tells of each what that guards.
   */
  readonly filterScope?: TokenScope;
  /** What a token needs besides where the query has one of these values: the answer then tells what else it guards. */
  readonly scopeByQuery?: { readonly field: string; readonly values: readonly string[]; readonly scope: TokenScope };
  /**
   * Calls by account, or by node or address where there is none; beyond it TOO_MANY_REQUESTS. `none`: reads, which go out
   * to others only through the egress guard and its own rate, and calls of nodes.
   */
  readonly rate: Rate | 'none';
  /** Beside `rate`, for calls that do as much as a list of their body is long: the rate counts the items of that field. */
  readonly itemRate?: { readonly field: string; readonly rate: Rate };
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Body of success. */
  readonly ok: z.ZodType;
  /** The same of a call that prefers a minimal answer (RFC 7240 4.2): what it knows already may be left out. */
  readonly okMinimal?: z.ZodType;
  /** Status of success; 200 unless given. */
  readonly status?: 200 | 201 | 202;
  /** Edits carry the revision they were based on in If-Match; a stale one answers 409 (product design, "API"). */
  readonly ifMatch?: true;
  /** Looks at the network anew each time: asked twice, it is meant twice, and it may wait long. */
  readonly looks?: true;
  /** Done again it would make a second one, or be refused because it was done; else it only sets a state, and may be set again. */
  readonly once?: true;
  /** The response is no JSON but a stream of this media type. */
  readonly streams?: string;
  /** Size of the request body; BODY_BYTES_MAX unless given. */
  readonly bodyBytesMax?: number;
  /** Values of the request body; BODY_VALUES_MAX unless given. */
  readonly bodyValuesMax?: number;
  /** The request body is no JSON but this media type, read by the handler. */
  readonly consumes?: string;
}

/** What a token needs whatever the call asks for. */
export const scopesOf = ({ scope }: Pick<Operation, 'scope'>): readonly TokenScope[] =>
  scope === undefined ? [] : typeof scope === 'string' ? [scope] : scope;

/** What a token needs besides, for this query. */
export function scopeForQuery({ scopeByQuery }: Operation, query: unknown): TokenScope | undefined {
  const value = scopeByQuery && (query as Record<string, unknown> | undefined)?.[scopeByQuery.field];
  return typeof value === 'string' && scopeByQuery?.values.includes(value) ? scopeByQuery.scope : undefined;
}

/** Bytes of a request body, where an operation does not say that it takes more. */
export const BODY_BYTES_MAX = 64 * 1024;
/** The same of a body with the configuration of a domain: lists of 10,000 addresses, of which plans allow a part. */
export const CONFIG_BODY_BYTES_MAX = 2 * 1024 * 1024;
/** Values of a request body: an import of 5,000 rows has 40,000, the largest configuration fewer. */
export const BODY_VALUES_MAX = 50_000;

/** Identity with a checked type, so that operations keep their literal types. */
export const defineOperations = <const Operations extends Record<string, Operation>>(
  operations: Operations,
): Operations => operations;

/** `{ success: true, result }`. */
export const resultOf = <Schema extends z.ZodType>(schema: Schema) =>
  z.object({ success: z.literal(true), result: schema });

/** `{ success, results, count, page, perpage }`: the shape of every list (product design, "API"). */
export const listOf = <Schema extends z.ZodType>(schema: Schema) =>
  z.object({
    success: z.literal(true),
    results: z.array(schema),
    count: z.number().int().describe('Number of all matches, not only of this page.'),
    page: z.number().int(),
    perpage: z.number().int(),
  });

export const done = z.object({ success: z.literal(true) });

/** Query of every list. Extend it. */
export const pageQuery = z.strictObject({
  // Whole numbers have bounds of their own, which would be told in the place of these.
  page: z.coerce.number().min(1).max(1_000_000).int().default(1).describe('First page is 1.'),
  perpage: z.coerce.number().min(1).max(PAGE_SIZE_MAX).int().default(PAGE_SIZE_DEFAULT),
});
