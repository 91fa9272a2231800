import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api-client';
import { batchKeys } from '../../domain/batches/queries';
import type { TableQuery } from './table-state';
import type { ImportTableHandle, OpenFile } from './use-import-table';

const LOOKED_AT = 50;
const SHOWN = 5;

const importKeys = {
  rows: (revision: number, query: TableQuery) => ['imports', 'rows', revision, query] as const,
};

/** A page of the rows of an opened file, from its worker; another one with each change. */
export const importRowsOptions = ({ worker }: ImportTableHandle, { revision }: OpenFile, query: TableQuery) =>
  queryOptions({
    queryKey: importKeys.rows(revision, query),
    queryFn: () => worker.call({ kind: 'view', query }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export const earlierImportsOptions = queryOptions({
  queryKey: batchKeys.latest(),
  queryFn: async ({ signal }) => (await api.listBatches({ query: { perpage: LOOKED_AT }, signal })).results,
  select: (batches) => batches.filter(({ kind }) => kind === 'import').slice(0, SHOWN),
});
