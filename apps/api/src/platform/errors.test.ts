import { rejectionList } from '@cordon/contract';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { errorBody, fieldErrorsFrom } from './errors.ts';

it('tells of fields that are called like reserved keys of the body, and keeps those', () => {
  const input = z.strictObject({ request_id: z.string().max(3), name: z.string() });
  const parsed = input.safeParse({
    request_id: 'too long',
    name: 'n',
    success: true,
    code: 1,
    message: '',
    params: {},
  });
  const body = errorBody(fieldErrorsFrom(parsed.error as z.ZodError), 'the-request');
  expect(body).toMatchObject({
    success: false,
    request_id: 'the-request',
    params: { 'field.request_id': { maximum: 3 } },
    'field.request_id': 'TOO_LONG',
    'field.success': 'UNKNOWN_FIELD',
    'field.code': 'UNKNOWN_FIELD',
    'field.message': 'UNKNOWN_FIELD',
    'field.params': 'UNKNOWN_FIELD',
  });
  expect(body.code).toBeUndefined();
  expect(body.message).toContain('request_id: TOO_LONG');
  expect(rejectionList(body)).toContain('field.request_id.TOO_LONG');
});
