import { type ErrorBody, errorKeyOf, fieldErrorsOf } from '@cordon/contract';
import { AppError, fieldErrors, notFound } from '@cordon/contract/app-error';
import type { z } from 'zod';
import { isDatabaseUnreachable } from './database.ts';

export { AppError, fieldErrors, notFound };

/** The same from zod's issues; `prefix` is put before every path, as in `plugins.0.config`. */
export function fieldErrorsFrom(error: z.ZodError, prefix = ''): AppError {
  const found = fieldErrorsOf(error);
  const place = (path: string) => (prefix === '' ? path : path === 'body' ? prefix : `${prefix}.${path}`);
  const fields = Object.fromEntries(Object.entries(found.fields).map(([path, code]) => [place(path), code]));
  const params = Object.fromEntries(Object.entries(found.params).map(([path, values]) => [place(path), values]));
  return fieldErrors(fields, params);
}

/** Body of a failure: flat, the fields beside the reserved keys (product design, "Error bodies"). */
export function errorBody(error: AppError, requestId: string): ErrorBody {
  const hasFields = Object.keys(error.fields).length > 0;
  const keyed = <Value>(values: Readonly<Record<string, Value>>): Record<string, Value> =>
    Object.fromEntries(Object.entries(values).map(([path, value]) => [errorKeyOf(path), value]));
  return {
    success: false,
    ...(hasFields ? keyed(error.fields) : { code: error.code }),
    message: error.message,
    ...(Object.keys(error.params).length > 0 ? { params: keyed(error.params) } : {}),
    request_id: requestId,
  };
}

/** What Fastify, its plugins and the database throw, in our words; undefined when it is none of what is known. */
export function fromFrameworkError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  if (isDatabaseUnreachable(error)) return new AppError('GATEWAY_CONNECTION_ERROR', { cause: error });
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  if (error instanceof SyntaxError && statusCode === 400) return new AppError('MALFORMED_JSON', { cause: error });
  switch (code) {
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return new AppError('MALFORMED_JSON', { cause: error });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError('UNSUPPORTED_MEDIA_TYPE', { cause: error });
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('PAYLOAD_TOO_LARGE', { cause: error });
    // What is too long to be an id is the id of nothing.
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return notFound();
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new AppError('BAD_REQUEST', { message: 'The request is malformed.', cause: error });
  }
  // 403 is what the server of files says to a path that it cannot read.
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new AppError('BAD_REQUEST', {
      status: statusCode === 403 ? 400 : statusCode,
      message: 'The request is malformed.',
      cause: error,
    });
  return undefined;
}
