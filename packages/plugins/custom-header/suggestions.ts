import type { HeaderSuggestion } from '@cordon/plugin-kit/header-suggestions';

/** What origins are often told. A secret that shows where requests came from is not here: the origin lock is better at it. */
export const suggestions: readonly HeaderSuggestion[] = [
  { name: 'X-Environment', value: 'production' },
  { name: 'X-Tenant-Id', value: undefined },
  { name: 'X-Api-Key', value: undefined },
  { name: 'Authorization', value: undefined, hasWarning: true },
];
