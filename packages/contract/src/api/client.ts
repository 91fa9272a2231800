import type { z } from 'zod';
import type { ErrorBody, ErrorCode } from '../errors.ts';
import { RESERVED_ERROR_KEYS } from '../errors.ts';
import type { Operation } from '../operation.ts';
import { API_BASE, type Operations, operations } from './api.ts';

type Input<T> = T extends z.ZodType ? z.input<T> : never;
type Part<Op, Key extends string> = Op extends { readonly [K in Key]: infer Schema }
  ? { readonly [K in Key]: Input<Schema> }
  : unknown;
type OptionalWhenEmpty<T> = T extends { readonly query: infer Query }
  ? Partial<Query> extends Query
    ? Omit<T, 'query'> & { readonly query?: Query }
    : T
  : T;

/** Arguments of a call: `params`, `query`, `body` as the contract has them, and `ifMatch` where an edit needs it. */
export type CallInput<Op extends Operation> = OptionalWhenEmpty<
  Part<Op, 'params'> & Part<Op, 'query'> & Part<Op, 'body'>
> &
  (Op extends { readonly ifMatch: true } ? { readonly ifMatch: number } : unknown) & {
    readonly signal?: AbortSignal;
    readonly idempotencyKey?: string;
  };
export type CallOutput<Op extends Operation> = z.output<Op['ok']>;

type Arguments<Op extends Operation> =
  Record<string, never> extends CallInput<Op> ? [input?: CallInput<Op>] : [input: CallInput<Op>];
type CallOf<Op extends Operation> = (...args: Arguments<Op>) => Promise<CallOutput<Op>>;
/** Of an operation whose answer may leave out what is known. */
type MinimalCallOf<Op extends Operation> = Op extends { readonly okMinimal: infer Minimal extends z.ZodType }
  ? (input: CallInput<Op> & { readonly prefersMinimal: true }) => Promise<z.output<Minimal>>
  : unknown;
/** A function for each operation. */
export type ClientOf<Ops extends Record<string, Operation>> = {
  readonly [Name in keyof Ops]: MinimalCallOf<Ops[Name]> & CallOf<Ops[Name]>;
};
export type Client = ClientOf<Operations>;

/**
 * Every failure of a call: the raw cause and the list of strings of spec section 8 — each `key.value` pair of an
 * object body except `success` and the reserved keys, or its message, or 'Request error'; without a response 'Please
 * check your network'.
 */
export class ApiError extends Error {
  constructor(
    /** 0 when there was no response. */
    readonly status: number,
    readonly code: ErrorCode | undefined,
    readonly body: ErrorBody | undefined,
    readonly list: readonly string[],
    options?: { cause?: unknown },
  ) {
    super(body?.message ?? list[0] ?? 'Request error', options);
    this.name = 'ApiError';
  }

  /** Field errors by path. */
  get fields(): Readonly<Record<string, string>> {
    const entries = Object.entries(this.body ?? {}).filter(
      ([key, value]) => typeof value === 'string' && !isReserved(key),
    );
    return Object.fromEntries(entries) as Record<string, string>;
  }
}

/** Whether the API says that there is no such thing. A 404 of what stands before it says nothing about it. */
export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.code === 'NOT_FOUND';

const isReserved = (key: string): boolean => (RESERVED_ERROR_KEYS as readonly string[]).includes(key);

/** The list of strings of spec section 8 for a response body. */
export function rejectionList(body: unknown): string[] {
  if (typeof body === 'object' && body !== null) {
    const pairs = Object.entries(body)
      .filter(
        ([key, value]) =>
          (!isReserved(key) || key === 'code') && (typeof value === 'string' || typeof value === 'number'),
      )
      .map(([key, value]) => `${key}.${value}`);
    if (pairs.length > 0) return pairs;
    if ('message' in body && typeof body.message === 'string') return [body.message];
  }
  return ['Request error'];
}

export interface ClientOptions {
  /** Origin of the API; empty for the page's own. */
  readonly origin: string;
  /** Headers of every call: Authorization and Realm. */
  readonly headers: () => Promise<Record<string, string>> | Record<string, string>;
  readonly timeoutMs: number;
  readonly fetch?: typeof fetch;
  /** Called before a call ends with the answer that was given to the same Idempotency-Key before: what it says may be past. */
  readonly onReplay?: () => void;
  /** Makes each call, in its own way: as often as it thinks right, with another input. */
  readonly around?: CallAround;
}

/** `send` makes the call of this operation. */
export type CallAround = (
  name: string,
  operation: Pick<Operation, 'method' | 'scope' | 'ifMatch' | 'once'>,
  input: Readonly<Record<string, unknown>>,
  send: (input: Readonly<Record<string, unknown>>) => Promise<unknown>,
) => Promise<unknown>;

/** URL of an operation, parameters and query filled in. */
export function operationUrl(operation: Operation, input: { params?: unknown; query?: unknown }): string {
  const params = (input.params ?? {}) as Record<string, unknown>;
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries((input.query ?? {}) as Record<string, unknown>)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) search.append(key, String(one));
  }
  const query = search.toString();
  return `${API_BASE}${path}${query === '' ? '' : `?${query}`}`;
}

/** Typed client over the contract, for the console, the demo and tests. Throws `ApiError`. */
export const createClient = (options: ClientOptions): Client => createClientOf(operations, options);

/** The same over other operations, such as those of plugins. */
export function createClientOf<Ops extends Record<string, Operation>>(ops: Ops, options: ClientOptions): ClientOf<Ops> {
  const send = options.fetch ?? globalThis.fetch.bind(globalThis);
  const call = async (operation: Operation, input: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const headers: Record<string, string> = { accept: 'application/json', ...(await options.headers()) };
    if (input.body !== undefined) headers['content-type'] = 'application/json';
    if (input.ifMatch !== undefined) headers['if-match'] = `"${input.ifMatch}"`;
    if (typeof input.idempotencyKey === 'string') headers['idempotency-key'] = input.idempotencyKey;
    if (input.prefersMinimal === true) headers.prefer = 'return=minimal';
    const timeout = AbortSignal.timeout(options.timeoutMs);
    let response: Response;
    try {
      response = await send(options.origin + operationUrl(operation, input), {
        method: operation.method,
        headers,
        body: input.body === undefined ? undefined : JSON.stringify(input.body),
        signal: input.signal instanceof AbortSignal ? AbortSignal.any([input.signal, timeout]) : timeout,
      });
    } catch (cause) {
      if (input.signal instanceof AbortSignal && input.signal.aborted) throw cause;
      throw new ApiError(0, undefined, undefined, ['Please check your network'], { cause });
    }
    if (response.headers.has('idempotent-replayed')) options.onReplay?.();
    if (response.ok && operation.streams !== undefined) return response.text();
    const body: unknown = await response.json().catch(() => undefined);
    if (response.ok) return body;
    const errorBody = typeof body === 'object' && body !== null ? (body as ErrorBody) : undefined;
    throw new ApiError(response.status, errorBody?.code, errorBody, rejectionList(body), { cause: response });
  };
  const client: Record<string, (input?: Record<string, unknown>) => Promise<unknown>> = {};
  const around: CallAround = options.around ?? ((_name, _operation, input, send) => send(input));
  for (const [name, operation] of Object.entries(ops))
    client[name] = (input = {}) => around(name, operation, input, (sent) => call(operation, sent));
  return client as unknown as ClientOf<Ops>;
}
