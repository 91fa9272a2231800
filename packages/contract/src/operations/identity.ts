import { z } from 'zod';
import { PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN } from '../constants.ts';
import { defineOperations, done } from '../operation.ts';
import { rates } from '../rates.ts';
import { text } from '../text.ts';

export const identityOperations = defineOperations({
  changePassword: {
    method: 'POST',
    path: 'user/password/',
    summary: 'Change the password, and end all other sessions of the user',
    auth: 'user',
    roles: ['user'],
    rate: rates.profileWrites,
    once: true,
    body: z.strictObject({
      current_password: text(PASSWORD_CHARACTERS_MAX, { exact: true })
        .min(1, 'REQUIRED')
        .describe('Limited in attempts, together with those to sign in.'),
      new_password: text(PASSWORD_CHARACTERS_MAX, { exact: true })
        .refine((text) => [...text].length >= PASSWORD_CHARACTERS_MIN, 'PASSWORD_TOO_SHORT')
        .describe('Refused where it is easy to guess, has been leaked or is the e-mail address.'),
    }),
    ok: done,
  },
});
