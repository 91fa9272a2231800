import { queryOptions } from '@tanstack/react-query';
import { api } from '../../app/api-client';
import { domainKeys } from '../data/keys';

/** How many domains are well, and the worst of the others. Read again with everything else of domains. */
export const accountHealthOptions = () =>
  queryOptions({
    queryKey: [...domainKeys.all, 'health'] as const,
    queryFn: async ({ signal }) => (await api.getAccountHealth({ signal })).result,
    refetchInterval: 30_000,
  });
