import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../app/api-client';
import { domainKeys } from '../../../domain/data/keys';

const VERSIONS_AT_ONCE = 100;

/** The newest versions, so many hundreds of them. */
export const newestVersionsOptions = (id: string, pages: number) =>
  queryOptions({
    queryKey: domainKeys.newestVersions(id, pages),
    queryFn: async ({ signal }) => {
      const read = (page: number) =>
        api.listVersions({ params: { id }, query: { page, perpage: VERSIONS_AT_ONCE }, signal });
      const answers = await Promise.all(Array.from({ length: pages }, (_, at) => read(at + 1)));
      return { results: answers.flatMap(({ results }) => results), count: answers[0]?.count ?? 0 };
    },
  });

/** What stands in the way of bringing a version back; asked anew when the draft has changed. */
export const rollbackOptions = (id: string, version: number, revision: number) =>
  queryOptions({
    queryKey: domainKeys.rollback(id, version, revision),
    queryFn: async ({ signal }) => (await api.checkRollback({ params: { id, version }, signal })).result,
  });

export const versionOptions = (id: string, version: number) =>
  queryOptions({
    queryKey: domainKeys.version(id, version),
    queryFn: async ({ signal }) => (await api.getVersion({ params: { id, version }, signal })).result,
    // A version never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
