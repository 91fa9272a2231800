import { locale } from '@cordon/contract';
import { PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN, USER_NAME_CHARACTERS_MAX } from '@cordon/contract/constants';
import { isStorable, text } from '@cordon/contract/text';
import { z } from 'zod';
import { isTimeZone } from '../accounts/service.ts';
import { normalizeEmail } from './email.ts';

/** Bodies that the console's pages post to an interaction. */

const email = text(320)
  .refine((text) => normalizeEmail(text) !== null, 'EMAIL_INVALID')
  .describe('Any spelling; kept in lower case.');

export const loginBody = z.strictObject({
  email,
  password: text(PASSWORD_CHARACTERS_MAX, { exact: true }).min(1),
});

export const registerBody = z.strictObject({
  email,
  password: text(PASSWORD_CHARACTERS_MAX, { exact: true }).refine(
    (text) => [...text].length >= PASSWORD_CHARACTERS_MIN,
    'PASSWORD_TOO_SHORT',
  ),
  name: text(USER_NAME_CHARACTERS_MAX, { seen: 'line' }).default(''),
  locale: locale.default('en'),
  time_zone: text(64).refine(isTimeZone, 'NOT_ALLOWED').default('UTC').describe('IANA name, of the browser.'),
  terms_version: z
    .string('TERMS_REQUIRED')
    .min(1, 'TERMS_REQUIRED')
    .max(32)
    .refine(isStorable, 'TEXT_INVALID')
    .describe('Version of the terms that the page showed.'),
});
