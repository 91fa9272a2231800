import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_STATUS, fieldErrorCodes, fieldErrorsOf } from '@cordon/contract';
import { expect, test } from 'vitest';
import { loginBody, registerBody } from '../../../../api/src/modules/identity/interaction-bodies.ts';
import en from './locales/en.json';
import zh from './locales/zh.json';

const MODULE = join(import.meta.dirname, '../../../../api/src/modules/identity');
const KNOWN = new Set<string>([...Object.keys(ERROR_STATUS), ...fieldErrorCodes]);

/** What no person can bring about with the two forms, or what another page tells. */
const NOT_TOLD: readonly string[] = [
  'FORBIDDEN',
  'NOT_FOUND',
  'UNAUTHENTICATED',
  'UNSUPPORTED_MEDIA_TYPE',
  'INTERACTION_EXPIRED',
  // Of the change in the profile.
  'PASSWORD_WRONG',
  // Of the time zone, which the browser names.
  'NOT_ALLOWED',
];

/** Codes that the module's own lines name. */
const namedCodes = readdirSync(MODULE)
  .filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
  .flatMap((file) => readFileSync(join(MODULE, file), 'utf8').match(/'[A-Z][A-Z_]+'/g) ?? [])
  .map((literal) => literal.slice(1, -1))
  .filter((code) => KNOWN.has(code));

/** Codes with which the bodies refuse what can be typed. */
const typedCodes = ['', 'a', 'a\0b', '\ud800', 'x'.repeat(5000)].flatMap((typed) =>
  [loginBody, registerBody].flatMap((schema) => {
    const fields = ['email', 'password', 'name', 'terms_version'].filter((field) => field in schema.shape);
    const { error } = schema.safeParse(Object.fromEntries(fields.map((field) => [field, typed])));
    return error ? Object.values(fieldErrorsOf(error).fields) : [];
  }),
);

test.each(
  [...new Set([...namedCodes, ...typedCodes, 'GATEWAY_CONNECTION_ERROR'])].filter((code) => !NOT_TOLD.includes(code)),
)('a form that is refused with %s says so in both languages', (code) => {
  expect([Object.keys(en.errors), Object.keys(zh.errors)]).toEqual([
    expect.arrayContaining([code]),
    expect.arrayContaining([code]),
  ]);
});
