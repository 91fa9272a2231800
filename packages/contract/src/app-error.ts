import { type AnyFieldErrorCode, ERROR_STATUS, type ErrorCode, SPEC_ERROR_MESSAGES } from './errors.ts';

type Params = Record<string, Record<string, string | number>>;

const PUBLIC_MESSAGES: Partial<Record<ErrorCode, string>> = {
  ...SPEC_ERROR_MESSAGES,
  MALFORMED_JSON: 'The body is not well-formed JSON.',
  UNAUTHENTICATED: 'A valid bearer token is needed.',
  REALM_MISMATCH: 'The Realm header must name the realm that issued the token.',
  ROLE_MISSING: 'Your user lacks a role that this call needs.',
  SCOPE_MISSING: 'The API token lacks the scope that this call needs.',
  PLAN_REQUIRED: 'Your plan does not include this.',
  CACHE_CLEAR_NEEDS_PLAN: 'A free account cannot clear cache.',
  PREFETCH_NEEDS_PLAN: 'A free account cannot prefetch.',
  ACCOUNT_SUSPENDED: 'The account is suspended; nothing can be changed.',
  NOT_FOUND: 'There is no such object.',
  METHOD_NOT_ALLOWED: 'This address does not take that method.',
  STALE_REVISION: 'The object was changed since you read it.',
  VERSION_PARTS_GONE: 'Something of this version no longer exists; send accept_gone to bring back the rest.',
  OPERATION_RUNNING: 'Another operation on this object is still running.',
  IDEMPOTENCY_KEY_REUSED: 'This Idempotency-Key was used for a different request.',
  ANSWER_LOST: 'This was done, but its answer was lost; look at the object before you send it with another key.',
  PRECONDITION_REQUIRED: 'Send the revision that your change is based on as If-Match.',
  PAYLOAD_TOO_LARGE: 'The body is too large.',
  UNSUPPORTED_MEDIA_TYPE: 'Send the body as application/json.',
  TOO_MANY_REQUESTS: 'Too many requests; try again later.',
  DOMAIN_NOT_DEPLOYED: 'The domain was never deployed.',
  DOMAIN_STATE_FORBIDS: 'The state of the domain does not allow this.',
  GROUP_IS_DEFAULT: 'The default group cannot be deleted.',
  TOKENS_FULL: 'The user has as many API tokens as one can have; revoke one that is not needed any more.',
  TASKS_FULL: 'The account has as many scheduled tasks as it can have.',
  PREFETCH_NOT_CACHED: 'The live version of the domain caches nothing: what is fetched would not be kept.',
  PREFETCHES_FULL: 'The account has as many prefetches running as it can have.',
  GROUPS_FULL: 'The account has as many groups as it can have.',
  INTERNAL: 'Something went wrong on our side.',
  UNAVAILABLE: 'A part of the service is not available; try again later.',
  TRAFFIC_UNAVAILABLE: 'The traffic store does not answer; try again later.',
};

/** A failure that the caller may see. Everything else that is thrown answers 500 and is only logged. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly status: number;
  readonly fields: Readonly<Record<string, AnyFieldErrorCode>>;
  readonly params: Readonly<Params>;

  /**
   * @param options.fields One code per field path, as in `upstreams.targets.0.port`.
   * @param options.params Values for the messages, by field path or by code.
   */
  constructor(
    readonly code: ErrorCode,
    options: {
      status?: number;
      message?: string;
      fields?: Record<string, AnyFieldErrorCode>;
      params?: Params;
      cause?: unknown;
    } = {},
  ) {
    super(options.message ?? PUBLIC_MESSAGES[code] ?? code, { cause: options.cause });
    this.status = options.status ?? ERROR_STATUS[code];
    this.fields = options.fields ?? {};
    this.params = options.params ?? {};
  }
}

/** One or more fields are wrong: 422 with a code per field path. */
export function fieldErrors(fields: Record<string, AnyFieldErrorCode>, params: Params = {}): AppError {
  const message = Object.entries(fields)
    .map(([path, code]) => `${path}: ${code}`)
    .join(', ');
  return new AppError('VALIDATION_FAILED', { message, fields, params });
}

export const notFound = (): AppError => new AppError('NOT_FOUND');
