import type { EdgeHandler, Verdict } from '@cordon/plugin-kit/edge';
import type { DomainConfig } from './schema.ts';

/** RFC 8555 8.3. */
const CHALLENGES = '/.well-known/acme-challenge/';
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Tokens have 128 bits or more; authorities send 43 characters. */
const TOKEN_CHARACTERS_MAX = 128;

const ALLOW: Verdict = { kind: 'allow', reason: 'acme_challenge', rule: CHALLENGES };

/**
 * Whether the path names a token and nothing else. As the visitor sent it: an origin may resolve dots, escapes and `;`
 * otherwise than nginx does, and would answer for another path without any protection.
 */
function isChallenge(rawPath: string): boolean {
  if (!rawPath.startsWith(CHALLENGES)) return false;
  const length = rawPath.length - CHALLENGES.length;
  if (length < 1 || length > TOKEN_CHARACTERS_MAX) return false;
  for (let at = CHALLENGES.length; at < rawPath.length; at++)
    if (!BASE64URL.includes(rawPath.substring(at, at + 1))) return false;
  return true;
}

export const handler: EdgeHandler<DomainConfig, boolean> = {
  prepare: (config) => config.is_bypass_acme,

  access: (ctx, isBypassing) => {
    const { method, rawPath, query } = ctx.request;
    if (!isBypassing || (method !== 'GET' && method !== 'HEAD') || query !== '') return undefined;
    return isChallenge(rawPath) ? ALLOW : undefined;
  },
};
