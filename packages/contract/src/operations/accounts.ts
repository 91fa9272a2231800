import { z } from 'zod';
import { USER_NAME_CHARACTERS_MAX } from '../constants.ts';
import { deploymentConfig, me } from '../entities/accounts.ts';
import { locale } from '../enumerations.ts';
import { defineOperations, resultOf } from '../operation.ts';
import { rates } from '../rates.ts';
import { text } from '../text.ts';

export const accountOperations = defineOperations({
  getMe: {
    method: 'GET',
    path: 'user/info/',
    summary: 'Who is signed in, and for which account',
    auth: 'user',
    scope: 'account:read',
    rate: 'none',
    ok: resultOf(me),
  },
  updateMe: {
    method: 'PATCH',
    path: 'user/info/',
    summary: 'Change name, language or time zone',
    auth: 'user',
    roles: ['user'],
    rate: rates.profileWrites,
    body: z.strictObject({
      name: text(USER_NAME_CHARACTERS_MAX, { seen: 'line' }).optional(),
      locale: locale.optional(),
      time_zone: text(64).optional(),
    }),
    ok: resultOf(me),
  },
  getDeploymentConfig: {
    method: 'GET',
    path: 'domain/config/',
    summary: 'Settings of this deployment that forms need',
    auth: 'user',
    roles: ['user'],
    scope: 'domains:read',
    rate: 'none',
    ok: resultOf(deploymentConfig),
  },
});
