import type { RouteSummary } from '@cordon/contract';
import { api, queryClient } from '../../../app/api-client';
import { fuzzyScore } from '../../../app/palette/fuzzy';
import { domainKeys } from '../../../domain/data/keys';
import { recentDomains } from '../../../domain/data/recent-domains';

export const FOUND_MAX = 8;
/** So many are read to find the best of them. */
const READ_MAX = 50;

/** What lists of domains have shown. */
export const listedRoutes = (): RouteSummary[] =>
  queryClient
    .getQueriesData<{ results: RouteSummary[] }>({ queryKey: domainKeys.lists() })
    .flatMap(([, page]) => page?.results ?? []);

/**
 * The same answer within seconds is not asked for twice. One who no longer wants the answer does not end the request:
 * another one may wait for the same.
 */
const askDomains = (query: { q?: string; perpage: number; sort?: '-last_deployed' }) =>
  queryClient.fetchQuery({
    queryKey: domainKeys.list(query),
    queryFn: ({ signal }) => api.listRoutes({ query, signal }),
    retry: false,
  });

/** How many domains match, and the best of them, as far as they were read. */
export interface Matches {
  readonly routes: readonly RouteSummary[];
  readonly count: number;
}

/**
 * Domains that match, first by their names, those opened last first. The API finds letters as they are written; among
 * what lists have shown, accents do not count, as everywhere in the palette.
 */
export async function findDomains(q: string): Promise<Matches> {
  const query = q === '' ? { perpage: FOUND_MAX, sort: '-last_deployed' as const } : { q, perpage: READ_MAX };
  const { results, count } = await askDomains(query);
  // Among more than were read, a name whose label this is would be missed.
  const isCut = q !== '' && count > results.length && !q.endsWith('.');
  const labelled = isCut ? (await askDomains({ q: `${q}.`, perpage: READ_MAX })).results : [];
  const nameScore = (one: RouteSummary) =>
    q === '' ? 0 : (fuzzyScore(q, { names: [one.domain_name_unicode, one.domain_name] }) ?? 0);
  const fitting =
    q === '' ? [] : listedRoutes().filter((one) => nameScore(one) > 0 || one.cname.startsWith(q.toLowerCase()));
  const ids = new Set<string>();
  const all = [...results, ...labelled, ...fitting].filter(({ id }) => !ids.has(id) && ids.add(id));
  const order = recentDomains().map(({ id }) => id);
  const place = ({ id }: RouteSummary) => (order.includes(id) ? order.indexOf(id) : order.length);
  const routes = all
    .map((route) => ({ route, score: nameScore(route), place: place(route) }))
    // Two letters stand in many a CNAME and remark: whose name has them is meant.
    .sort((left, right) => right.score - left.score || left.place - right.place)
    .slice(0, FOUND_MAX)
    .map(({ route }) => route);
  return { routes, count };
}
