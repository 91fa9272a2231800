import type { CallInput, Operations } from '@cordon/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api-client';

export type AuditQuery = NonNullable<NonNullable<CallInput<Operations['listAuditLines']>>['query']>;

const auditKeys = {
  all: ['audit'] as const,
  list: (query: object) => [...auditKeys.all, 'list', query] as const,
};

/** A page of the audit log. `since` reaches back so many hours from when it is asked. */
export const auditListOptions = (query: Omit<AuditQuery, 'from' | 'to'>, sinceHours: number | undefined) =>
  queryOptions({
    queryKey: auditKeys.list({ ...query, sinceHours }),
    queryFn: ({ signal }) => api.listAuditLines({ query: { ...query, from: fromOf(sinceHours) }, signal }),
    placeholderData: keepPreviousData,
    // What was done on another screen a moment ago is in it.
    staleTime: 0,
  });

/** The time so many hours ago. */
export const fromOf = (hours: number | undefined): string | undefined =>
  hours === undefined ? undefined : new Date(Date.now() - hours * 3_600_000).toISOString();
