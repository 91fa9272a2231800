import type { CallInput, Operations } from '@cordon/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api-client';
import { type AuditPeriod, boundsOf } from './audit-period';

export type AuditQuery = NonNullable<NonNullable<CallInput<Operations['listAuditLines']>>['query']>;

const auditKeys = {
  all: ['audit'] as const,
  list: (query: object) => [...auditKeys.all, 'list', query] as const,
  line: (id: number) => [...auditKeys.all, 'line', id] as const,
};

/** A page of the audit log. A period reaches back from when it is asked. */
export const auditListOptions = (query: Omit<AuditQuery, 'from' | 'to'>, period: AuditPeriod, timeZone: string) =>
  queryOptions({
    queryKey: auditKeys.list({ ...query, ...period, timeZone }),
    queryFn: ({ signal }) => api.listAuditLines({ query: { ...query, ...boundsOf(period, timeZone) }, signal }),
    placeholderData: keepPreviousData,
    // What was done on another screen a moment ago is in it.
    staleTime: 0,
  });

/** One line: a link may lead to one that is not on the page of the list. */
export const auditLineOptions = (id: number) =>
  queryOptions({
    queryKey: auditKeys.line(id),
    queryFn: async ({ signal }) => (await api.getAuditLine({ params: { id }, signal })).result,
  });
