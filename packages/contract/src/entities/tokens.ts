import { z } from 'zod';
import { tokenScope } from '../operation.ts';
import { text } from '../text.ts';
import { timestamp } from './routes.ts';

/** API tokens that a user has, ended ones too until they are forgotten. */
export const TOKENS_MAX = 50;
/** How long a token counts, in days. */
export const TOKEN_DAYS_MAX = 365;
export const TOKEN_DAYS_DEFAULT = 90;
/** Ended tokens are listed so many days longer. */
export const TOKEN_ENDED_DAYS = 30;
export const TOKEN_NAME_CHARACTERS_MAX = 100;

export const tokenName = text(TOKEN_NAME_CHARACTERS_MAX, { seen: 'line' })
  .min(1)
  .describe('What it is for; unique among those of the user, in any case. It stands in the audit log as who called.');
export const tokenScopes = z
  .array(tokenScope)
  .min(1)
  .max(tokenScope.options.length)
  .transform((scopes) => tokenScope.options.filter((scope) => scopes.includes(scope)))
  .describe('What it may call, each once; never more than the roles of its user allow.');
export const tokenDays = z
  .number()
  .min(1)
  .max(TOKEN_DAYS_MAX)
  .int()
  .default(TOKEN_DAYS_DEFAULT)
  .describe('It ends after so many days.');

/** A personal API token; its secret is shown once, and kept hashed. */
export const apiToken = z.object({
  id: z.uuid(),
  name: z.string(),
  hint: z.string().describe('Beginning and end of the secret, to recognise it by: `cdn_…x7Qe`.'),
  scopes: z.array(tokenScope),
  created_at: timestamp,
  expires_at: timestamp,
  last_used_at: timestamp.nullable().describe('To the minute; null: never.'),
  last_used_from: z.string().nullable().describe('IP address of that call.'),
});
export type ApiToken = z.infer<typeof apiToken>;
