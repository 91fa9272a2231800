import type { CallInput, Operations, Rule } from '@cordon/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api-client';

export type NewTemplate = CallInput<Operations['createRule']>['body'];
export type TemplateChange = CallInput<Operations['updateRule']>['body'];
type ListQuery = NonNullable<CallInput<Operations['listRules']>['query']>;
type DomainsQuery = NonNullable<CallInput<Operations['listRuleDomains']>['query']>;

/** Keys of configuration templates; a shorter key covers the longer ones. */
export const templateKeys = {
  all: ['templates'] as const,
  lists: () => [...templateKeys.all, 'list'] as const,
  list: (query: ListQuery) => [...templateKeys.lists(), query] as const,
  detail: (id: string) => [...templateKeys.all, 'detail', id] as const,
  template: (id: string) => [...templateKeys.detail(id), 'template'] as const,
  domains: (id: string, query: DomainsQuery) => [...templateKeys.detail(id), 'domains', query] as const,
};

export const templateListOptions = (query: ListQuery) =>
  queryOptions({
    queryKey: templateKeys.list(query),
    queryFn: ({ signal }) => api.listRules({ query, signal }),
    placeholderData: keepPreviousData,
  });

export const templateOptions = (id: string) =>
  queryOptions({
    queryKey: templateKeys.template(id),
    queryFn: async ({ signal }) => (await api.getRule({ params: { id }, signal })).result,
  });

export const templateDomainsOptions = (id: string, query: DomainsQuery) =>
  queryOptions({
    queryKey: templateKeys.domains(id, query),
    queryFn: ({ signal }) => api.listRuleDomains({ params: { id }, query, signal }),
    placeholderData: keepPreviousData,
  });

/** Puts an answered template where every screen sees it. */
function useTakeTemplate() {
  const client = useQueryClient();
  return (template: Rule) => {
    client.setQueryData(templateKeys.template(template.id), template);
    void client.invalidateQueries({ queryKey: templateKeys.lists() });
    void client.invalidateQueries({ queryKey: [...templateKeys.detail(template.id), 'domains'] });
  };
}

export function useCreateTemplate() {
  const take = useTakeTemplate();
  return useMutation({
    mutationFn: async (body: NewTemplate) => (await api.createRule({ body })).result,
    onSuccess: take,
    meta: { isSilent: true },
  });
}

/** Its form shows the errors. */
export function useUpdateTemplate(id: string) {
  const take = useTakeTemplate();
  return useMutation({
    mutationFn: async ({ revision, body }: { revision: number; body: TemplateChange }) =>
      (await api.updateRule({ params: { id }, ifMatch: revision, body })).result,
    onSuccess: take,
    meta: { isSilent: true },
  });
}

export function useDeleteTemplate() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, cname }: { id: string; cname: string }) => api.deleteRule({ params: { id }, body: { cname } }),
    onSuccess: (_answer, { id }) => {
      client.removeQueries({ queryKey: templateKeys.detail(id) });
      void client.invalidateQueries({ queryKey: templateKeys.lists() });
    },
  });
}
