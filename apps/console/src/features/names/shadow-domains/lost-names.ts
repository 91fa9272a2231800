import type { Route } from '@cordon/contract';

/** Names of aliases that were proved once, and that the last look at DNS saw lead elsewhere or nowhere. */
export function lostNamesOf({ health }: Pick<Route, 'health'>): ReadonlySet<string> {
  const found = health.findings.find(({ check, finding }) => check === 'ownership' && finding === 'alias_elsewhere');
  return new Set(found ? String(found.params.aliases ?? found.params.alias).split(', ') : []);
}
