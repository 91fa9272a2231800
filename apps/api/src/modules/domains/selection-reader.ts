import { parseDomainName, type RouteFilter as RouteFilterQuery, type RouteSelection } from '@cordon/contract';
import type pg from 'pg';
import type { HealthService } from '../health/service.ts';
import type { BulkRequest } from './bulk-service.ts';
import type { RouteFilter } from './list-conditions.ts';
import { readSearch } from './search-repository.ts';

/** What a query or a selection asks for, as the list reads it. */
export interface SelectionReader {
  filterOf(accountId: string, query: RouteFilterQuery): Promise<RouteFilter>;
  selectionOf(accountId: string, selection: RouteSelection): Promise<BulkRequest['selection']>;
}

/** @param edgeDomain Below which the CNAMEs of domains lie. */
export function createSelectionReader(
  pool: pg.Pool,
  health: Pick<HealthService, 'select'>,
  edgeDomain: string,
): SelectionReader {
  async function filterOf(accountId: string, query: RouteFilterQuery): Promise<RouteFilter> {
    const name = query.domain_name === undefined ? undefined : parseDomainName(query.domain_name);
    return {
      accountId,
      ...(await readSearch(pool, accountId, query.q, edgeDomain)),
      domainName: name?.ok ? name.name : query.domain_name,
      status: query.status,
      subscriptionCname: query.cname,
      groupId: query.group,
      isPending: query.changes === 'pending',
      batchId: query.batch,
      withoutId: query.without,
      health: await health.select(accountId, query.health),
    };
  }
  return {
    filterOf,
    selectionOf: async (accountId, { names, filter }) =>
      names ? { names } : { filter: await filterOf(accountId, filter ?? {}) },
  };
}
