import type { TokenScope } from '@cordon/contract';

/** Scopes as they are chosen: what only reads, and what changes something. */
export const SCOPE_GROUPS = {
  read: ['domains:read', 'traffic:read', 'account:read', 'audit:read'],
  change: ['cache:clear', 'cache:prefetch', 'domains:write'],
} as const satisfies Record<string, readonly TokenScope[]>;

/** Usual choices by one press. */
export const PRESETS = {
  clear: ['cache:clear'],
  prefetch: ['cache:prefetch'],
  read: SCOPE_GROUPS.read,
  all: [...SCOPE_GROUPS.read, ...SCOPE_GROUPS.change],
} as const satisfies Record<string, readonly TokenScope[]>;
export type Preset = keyof typeof PRESETS;
export const PRESET_NAMES = Object.keys(PRESETS) as Preset[];

/** Clearing and prefetching are parts of changing domains. */
export const isIncluded = (scope: TokenScope, scopes: readonly TokenScope[]): boolean =>
  scope.startsWith('cache:') && scopes.includes('domains:write');

/** The preset that a choice is; undefined: one of one's own. */
export const presetOf = (scopes: readonly TokenScope[]): Preset | undefined =>
  PRESET_NAMES.find((name) => {
    const wanted: readonly TokenScope[] = PRESETS[name];
    const has = (scope: TokenScope) => scopes.includes(scope) || isIncluded(scope, scopes);
    return wanted.every(has) && scopes.every((scope) => wanted.includes(scope));
  });

/** Words of a scope in the catalog: its name holds a colon. */
export const scopeKey = (scope: TokenScope) =>
  scope.replace(':', '_') as
    | 'domains_read'
    | 'domains_write'
    | 'cache_clear'
    | 'cache_prefetch'
    | 'traffic_read'
    | 'account_read'
    | 'audit_read';
