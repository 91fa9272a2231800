import { z } from 'zod';
import { USER_NAME_CHARACTERS_MAX } from '../constants.ts';
import { deploymentConfig, me } from '../entities/accounts.ts';
import { apiToken, tokenDays, tokenName, tokenScopes } from '../entities/tokens.ts';
import { locale } from '../enumerations.ts';
import { defineOperations, done, resultOf } from '../operation.ts';
import { rates } from '../rates.ts';
import { text } from '../text.ts';

const tokenParams = z.object({ id: z.uuid().describe('Id of a token.') });

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
  // Without scopes: a token makes, lists and changes none.
  listTokens: {
    method: 'GET',
    path: 'user/tokens/',
    summary: 'API tokens of the signed-in user, the newest first; their secrets are not kept',
    auth: 'user',
    roles: ['user'],
    rate: 'none',
    ok: z.object({ success: z.literal(true), results: z.array(apiToken) }),
  },
  createToken: {
    method: 'POST',
    path: 'user/tokens/',
    summary: 'Make an API token; its secret is in this answer and nowhere else',
    auth: 'user',
    roles: ['user'],
    once: true,
    rate: rates.tokenWrites,
    body: z.strictObject({ name: tokenName, scopes: tokenScopes, days: tokenDays }),
    ok: resultOf(
      apiToken.extend({ secret: z.string().describe('What calls send as `Authorization: Bearer …`; shown once.') }),
    ),
    status: 201,
  },
  renameToken: {
    method: 'PATCH',
    path: 'user/tokens/{id}/',
    summary: 'Rename an API token',
    auth: 'user',
    roles: ['user'],
    rate: rates.tokenWrites,
    params: tokenParams,
    body: z.strictObject({ name: tokenName }),
    ok: resultOf(apiToken),
  },
  revokeToken: {
    method: 'DELETE',
    path: 'user/tokens/{id}/',
    summary: 'Revoke an API token: it opens nothing from then on',
    auth: 'user',
    roles: ['user'],
    once: true,
    rate: rates.tokenWrites,
    params: tokenParams,
    ok: done,
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
