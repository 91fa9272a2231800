import { locale } from '@cordon/contract';
import { PASSWORD_CHARACTERS_MIN } from '@cordon/contract/constants';
import { z } from 'zod';
import { isTimeZone } from '../accounts/service.ts';
import { normalizeEmail } from './email.ts';
import { PASSWORD_CHARACTERS_MAX } from './password-policy.ts';

/** Bodies that the console's pages post to an interaction. */

const email = z
  .string()
  .max(320)
  .refine((text) => normalizeEmail(text) !== null, 'EMAIL_INVALID')
  .describe('Any spelling; kept in lower case.');

export const loginBody = z.strictObject({
  email,
  password: z.string().min(1).max(PASSWORD_CHARACTERS_MAX),
});

export const registerBody = z.strictObject({
  email,
  password: z
    .string()
    .max(PASSWORD_CHARACTERS_MAX)
    .refine((text) => [...text].length >= PASSWORD_CHARACTERS_MIN, 'PASSWORD_TOO_SHORT'),
  name: z.string().trim().max(100).default(''),
  locale: locale.default('en'),
  time_zone: z.string().max(64).refine(isTimeZone, 'NOT_ALLOWED').default('UTC').describe('IANA name, of the browser.'),
  terms_version: z
    .string('TERMS_REQUIRED')
    .min(1, 'TERMS_REQUIRED')
    .max(32)
    .describe('Version of the terms that the page showed.'),
});
