import type { Group } from '@cordon/contract';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { api } from '../../app/api-client';
import { domainKeys, groupKeys } from './keys';

export const groupsOptions = queryOptions({
  queryKey: groupKeys.all,
  queryFn: async ({ signal }) => (await api.listGroups({ signal })).results,
  staleTime: 60_000,
});

export function useGroups(): Group[] | undefined {
  return useQuery(groupsOptions).data;
}

/** What a group is called: the default one has a name in every language until it is renamed. */
export function useGroupName(): (group: Pick<Group, 'name' | 'default_group'>) => string {
  const t = useTranslations('domain');
  return ({ name, default_group: isDefault }) => (isDefault && name === 'Default' ? t('defaultGroup') : name);
}

/** After a change: the groups, and the lists that show them. */
function useRefresh() {
  const client = useQueryClient();
  return async () => {
    await client.invalidateQueries({ queryKey: groupKeys.all });
    void client.invalidateQueries({ queryKey: domainKeys.lists() });
  };
}

export function useCreateGroup() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (name: string) => (await api.createGroup({ body: { name } })).result,
    onSuccess: refresh,
    meta: { isSilent: true },
  });
}

export function useRenameGroup() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async ({ id, name }: { id: string; name: string }) =>
      (await api.renameGroup({ params: { id }, body: { name } })).result,
    onSuccess: refresh,
    meta: { isSilent: true },
  });
}

export function useDeleteGroup() {
  const refresh = useRefresh();
  return useMutation({ mutationFn: (id: string) => api.deleteGroup({ params: { id } }), onSuccess: refresh });
}
