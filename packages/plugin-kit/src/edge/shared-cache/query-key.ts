import type { CacheKeyRules } from './types.ts';

const nameOfArgument = (argument: string): string => argument.split('=')[0] as string;

/** The part of a query that makes another object. What is left out does not reach the origin: two requests with one key are one. */
export function keyedQuery(this: void, rules: CacheKeyRules, query: string): string {
  const { queryNames, sortsQuery } = rules;
  const kind = rules.query;
  if (kind === 'none' || query === '') return '';
  if (kind === 'all' && !sortsQuery) return query;
  const kept: string[] = [];
  for (const argument of query.split('&')) {
    const isNamed = queryNames.includes(nameOfArgument(argument));
    if (kind === 'all' || (kind === 'only') === isNamed) kept.push(argument);
  }
  if (sortsQuery) kept.sort();
  return kept.join('&');
}
