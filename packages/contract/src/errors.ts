import { z } from 'zod';

/**
 * Codes of failures as a whole (`code` in the body), with the status each is answered with. The first three are the
 * specification's (section 8); the console shows them for their own durations. GATEWAY_CONNECTION_ERROR: PostgreSQL, and
 * with it the queue, cannot be reached, or the call needs an answer of a node and none of the czone is live. What nodes can
 * take up later (deploy, pause, delete) is kept instead, and its operation says NO_NODE_LIVE.
 */
export const ERROR_STATUS = {
  SUBSCRIPTION_NOT_FOUND: 404,
  GATEWAY_CONNECTION_ERROR: 502,
  QUOTA_REACHED: 403,

  BAD_REQUEST: 400,
  MALFORMED_JSON: 400,
  VALIDATION_FAILED: 422,
  UNAUTHENTICATED: 401,
  REALM_MISMATCH: 401,
  FORBIDDEN: 403,
  ROLE_MISSING: 403,
  SCOPE_MISSING: 403,
  PLAN_REQUIRED: 403,
  CACHE_CLEAR_NEEDS_PLAN: 403,
  PREFETCH_NEEDS_PLAN: 403,
  ACCOUNT_SUSPENDED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  STALE_REVISION: 409,
  VERSION_PARTS_GONE: 409,
  OPERATION_RUNNING: 409,
  IDEMPOTENCY_KEY_REUSED: 409,
  ANSWER_LOST: 409,
  PRECONDITION_REQUIRED: 428,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  TOO_MANY_REQUESTS: 429,
  INTERACTION_EXPIRED: 410,
  BATCH_NOT_UNDOABLE: 409,
  BATCH_ALREADY_UNDONE: 409,
  BATCH_NOT_RESUMABLE: 409,
  BATCH_STOPPED: 500,
  CHANGED_SINCE: 409,
  DOMAIN_NOT_DEPLOYED: 409,
  DOMAIN_STATE_FORBIDS: 409,
  GROUP_IS_DEFAULT: 409,
  GROUPS_FULL: 409,
  TASKS_FULL: 409,
  PREFETCH_NOT_CACHED: 409,
  PREFETCHES_FULL: 409,
  TOKENS_FULL: 409,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  TRAFFIC_UNAVAILABLE: 503,
} as const;
export type ErrorCode = keyof typeof ERROR_STATUS;

/** How long the notice of a code stays, in milliseconds (spec section 8); other codes use `ERROR_NOTICE_MS`. */
export const ERROR_NOTICE_DURATIONS_MS: Partial<Record<ErrorCode, number>> = {
  SUBSCRIPTION_NOT_FOUND: 15_000,
  GATEWAY_CONNECTION_ERROR: 15_000,
  QUOTA_REACHED: 5_000,
};

/** The specification's own English words (section 8). */
export const SPEC_ERROR_MESSAGES = {
  SUBSCRIPTION_NOT_FOUND: 'An error occurred: There was a problem locating your subscription info.',
  GATEWAY_CONNECTION_ERROR: 'Connection to the gateway could not be established.',
  QUOTA_REACHED:
    'You have reached the available domains for your subscription. Please upgrade your subscription to add more domains.',
} as const;

/** What can be wrong with one field: the value in `{ "upstreams.targets.0.port": "PORT_FORBIDDEN" }`. */
export const fieldErrorCodes = [
  'REQUIRED',
  'INVALID',
  'INVALID_TYPE',
  'UNKNOWN_FIELD',
  'TOO_SHORT',
  'TOO_LONG',
  'TOO_SMALL',
  'TOO_LARGE',
  'TOO_FEW',
  'TOO_MANY',
  'NOT_ALLOWED',
  'NOT_INTEGER',
  'DUPLICATE_ENTRY',
  'TEXT_INVALID',

  'DOMAIN_NAME_INVALID',
  'DOMAIN_NAME_TRAILING_DOT',
  'DOMAIN_NAME_NEEDS_DOT',
  'DOMAIN_NAME_IS_ADDRESS',
  'DOMAIN_NAME_IS_URL',
  'DOMAIN_LABEL_TOO_LONG',
  'DOMAIN_LABEL_HYPHEN',
  'DOMAIN_LABEL_UNREADABLE',
  'DOMAIN_NAME_TOO_LONG',
  'WILDCARD_LABEL_RESERVED',
  'WILDCARD_MALFORMED',
  'PUBLIC_SUFFIX',
  'WILDCARD_OF_PUBLIC_SUFFIX',
  'OWN_HOST',
  'DOMAIN_NAME_TAKEN',
  'DOMAIN_NAME_YOURS',
  'WILDCARD_SPANS_OTHERS',
  'WILDCARD_NEEDS_VIP',
  'SHADOW_IS_MAIN',
  'SHADOW_IS_WILDCARD',
  'SHADOW_NOT_VERIFIED',
  'IPV6_CANNOT_DISABLE',
  'DOMAIN_UPSTREAM_NEEDS_VIP',
  'PLUGIN_NEEDS_VIP',
  'PLUGIN_EXCLUDED',
  'NAME_CONFIRMATION_MISMATCH',

  'UPSTREAM_REQUIRED',
  'UPSTREAM_INVALID',
  'UPSTREAM_IS_URL',
  'UPSTREAM_HAS_PORT',
  'UPSTREAM_MASK',
  'UPSTREAM_MASK_ZERO',
  'UPSTREAM_DUPLICATE',
  'UPSTREAM_FORBIDDEN',
  'UPSTREAM_UNREACHABLE',
  'UPSTREAM_LOOP',
  'UPSTREAM_ONLY_BACKUP',
  'PROTOCOL_REQUIRED',
  'PORT_FORBIDDEN',
  'PORT_NOT_WEB',
  'PORT_RANGE',
  'ORIGIN_LIMIT_RANGE',
  'TLS_CA_REQUIRED',
  'TLS_CA_UNREADABLE',
  'TLS_CA_EXPIRED',
  'TLS_CA_NOT_ROOT',
  'TLS_CA_IS_KEY',
  'TLS_CA_LIMIT',

  'IMPORT_EMPTY',
  'IMPORT_CELL_EMPTY',
  'IMPORT_STATUS_UNKNOWN',
  'IMPORT_PROTOCOL_UNKNOWN',
  'IMPORT_NAME_REPEATED',
  'IMPORT_GROUP_UNKNOWN',
  'IMPORT_SHADOW_DOMAINS_NEED_RUNNING',

  'ADDRESS_INVALID',
  'RANGE_TOO_WIDE',
  'ADDRESS_CONFLICT',
  'URL_INVALID',
  'URL_CREDENTIALS',
  'REDIRECT_LOOP',
  'REDIRECT_REQUIRED',
  'REDIRECT_UNUSED',

  'CACHE_URL_INVALID',
  'CACHE_URL_CHARACTERS',
  'CACHE_URL_FOREIGN',
  'CACHE_URL_FRAGMENT',
  'CACHE_URL_NEEDS_HOST',
  'CACHE_URL_PATTERN',
  'CACHE_PREFIX_QUERY',
  'CACHE_TAG_INVALID',
  'CACHE_TAG_PATTERN',
  'PREFETCH_TOO_MANY',
  'TASK_TIME_PAST',
  'TASK_TIME_FAR',

  'PLUGIN_UNKNOWN',
  'SECRET_UNKNOWN',
  'SECRETS_FULL',

  'SELECTION_TOO_LONG',
  'SELECTION_REQUIRED',
  'SELECTION_EMPTY',
  'SELECTION_UNCHANGED',
  'SELECTION_CHANGED',
  'GROUP_NAME_TAKEN',
  'TOKEN_NAME_TAKEN',
  'GROUP_GONE',
  'DOMAIN_UNKNOWN',
  'RULE_NAME_TAKEN',
  'RULES_FULL',
  'RULE_SOURCE_EMPTY',
  'RULE_GONE',
  'MERGED_LIST_FULL',

  'CERTIFICATE_REQUIRED',
  'FORCE_HTTPS_REQUIRED',
  'HSTS_IS_ON',
  'HSTS_PRELOAD_BOUNDS',
  'CERTIFICATE_MARKERS',
  'PRIVATE_KEY_MARKERS',

  'EMAIL_INVALID',
  'PASSWORD_TOO_SHORT',
  'PASSWORD_BREACHED',
  'PASSWORD_IS_EMAIL',
  'CREDENTIALS_WRONG',
  'PASSWORD_WRONG',
  'TERMS_REQUIRED',
] as const;
export type FieldErrorCode = (typeof fieldErrorCodes)[number];

/** A code that a plugin brings: declared in its `plugin.ts`, with words in its catalog only. */
export type PluginErrorCode = string & { readonly ofPlugin: never };
export type AnyFieldErrorCode = FieldErrorCode | PluginErrorCode;

/** Keys of an error body that are no fields. */
export const RESERVED_ERROR_KEYS = ['success', 'code', 'message', 'params', 'request_id'] as const;

/** Key of a field in an error body: its path, and `field.request_id` where that would be a reserved key. */
export const errorKeyOf = (path: string): string =>
  (RESERVED_ERROR_KEYS as readonly string[]).includes(path) ? `field.${path}` : path;

/** Body of every failure: flat, so that `key.value` pairs are message keys (spec section 8, product design). */
export interface ErrorBody {
  readonly success: false;
  readonly code?: ErrorCode;
  /** English, for users of the API. */
  readonly message: string;
  readonly request_id: string;
  /** Values for the messages, by field path or code: `{ "name": { "maximum": 63 } }`. */
  readonly params?: Readonly<Record<string, Readonly<Record<string, string | number>>>>;
  readonly [field: string]: unknown;
}

interface FieldErrors {
  readonly fields: Record<string, AnyFieldErrorCode>;
  readonly params: Record<string, Record<string, string | number>>;
}

/** How every code is written. Zod's own messages are sentences. */
const FIELD_ERROR_CODE = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/;

/** A field's code in an answer. */
export const anyFieldErrorCode = z
  .string()
  .regex(FIELD_ERROR_CODE)
  .describe("What is wrong with a field: one of the contract's codes, or of a plugin's own.") as unknown as z.ZodType<
  AnyFieldErrorCode,
  AnyFieldErrorCode
>;

/** Whether an issue's message is a code, of ours or of a plugin's. */
export const isFieldErrorCode = (text: string): text is AnyFieldErrorCode => FIELD_ERROR_CODE.test(text);

/** Faults of one body that are reported; a form has fewer fields, and who sends more has not typed them. */
const FAULTS_MAX = 100;
const UNKNOWN_FIELDS_MAX = 20;
const PATH_CHARACTERS_MAX = 300;

/** Turns zod's issues into one code per field path (`a.0.b`); the first issue of a path wins, and at most a hundred are reported. An issue at the root gets the path `body`. */
export function fieldErrorsOf(error: Pick<z.ZodError, 'issues'>): FieldErrors {
  // Without a prototype: a field may be called `constructor`.
  const fields: Record<string, AnyFieldErrorCode> = Object.create(null);
  const params: Record<string, Record<string, string | number>> = Object.create(null);
  let faults = 0;
  const add = (path: string, code: AnyFieldErrorCode, values?: Record<string, string | number>) => {
    if (path in fields || path.length > PATH_CHARACTERS_MAX) return;
    fields[path] = code;
    faults++;
    if (values && Object.keys(values).length > 0) params[path] = values;
  };
  for (const issue of error.issues) {
    if (faults >= FAULTS_MAX) break;
    const path = issue.path.length === 0 ? 'body' : issue.path.map(String).join('.');
    if (isFieldErrorCode(issue.message)) {
      const given = issue.code === 'custom' ? (issue.params as Record<string, string | number> | undefined) : undefined;
      add(path, issue.message, given);
      continue;
    }
    switch (issue.code) {
      case 'unrecognized_keys':
        for (const key of issue.keys.slice(0, UNKNOWN_FIELDS_MAX))
          add(issue.path.length === 0 ? key : `${path}.${key}`, 'UNKNOWN_FIELD');
        break;
      case 'invalid_type':
        // Zod leaves the input out of issues, so that no secret gets into a log: only its message says what is missing.
        add(
          path,
          issue.message.endsWith('received undefined')
            ? 'REQUIRED'
            : issue.expected === 'int'
              ? 'NOT_INTEGER'
              : 'INVALID_TYPE',
        );
        break;
      case 'too_big':
        add(path, issue.origin === 'string' ? 'TOO_LONG' : issue.origin === 'array' ? 'TOO_MANY' : 'TOO_LARGE', {
          maximum: Number(issue.maximum),
        });
        break;
      case 'too_small':
        if (issue.origin === 'string' && Number(issue.minimum) === 1) add(path, 'REQUIRED');
        else
          add(path, issue.origin === 'string' ? 'TOO_SHORT' : issue.origin === 'array' ? 'TOO_FEW' : 'TOO_SMALL', {
            minimum: Number(issue.minimum),
          });
        break;
      case 'invalid_value':
        add(path, 'NOT_ALLOWED');
        break;
      default:
        add(path, 'INVALID');
    }
  }
  return { fields, params };
}
