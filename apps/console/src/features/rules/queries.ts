import type { CallInput, Operations, Rule } from '@cordon/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../app/api-client';
import type { Save } from '../../domain/data/use-saves';

export type NewRule = Pick<CallInput<Operations['createRule']>, 'body' | 'idempotencyKey'>;
export type RuleChange = CallInput<Operations['updateRule']>['body'];
type ListQuery = NonNullable<CallInput<Operations['listRules']>['query']>;
type DomainsQuery = NonNullable<CallInput<Operations['listRuleDomains']>['query']>;

/** Keys of configuration rules; a shorter key covers the longer ones. */
export const ruleKeys = {
  all: ['rules'] as const,
  lists: () => [...ruleKeys.all, 'list'] as const,
  list: (query: ListQuery) => [...ruleKeys.lists(), query] as const,
  detail: (id: string) => [...ruleKeys.all, 'detail', id] as const,
  rule: (id: string) => [...ruleKeys.detail(id), 'rule'] as const,
  /** Of every page. */
  domains: (id: string) => [...ruleKeys.detail(id), 'domains'] as const,
  /** Of a revision: with it changes how the domains stand to the rule. */
  domainPage: (id: string, revision: number, query: DomainsQuery) =>
    [...ruleKeys.domains(id), revision, query] as const,
  preview: (id: string, revision: number) => [...ruleKeys.detail(id), 'preview', revision] as const,
};

export const ruleListOptions = (query: ListQuery) =>
  queryOptions({
    queryKey: ruleKeys.list(query),
    queryFn: ({ signal }) => api.listRules({ query, signal }),
    placeholderData: keepPreviousData,
  });

export const ruleOptions = (id: string) =>
  queryOptions({
    queryKey: ruleKeys.rule(id),
    queryFn: async ({ signal }) => (await api.getRule({ params: { id }, signal })).result,
  });

export const ruleDomainsOptions = ({ id, revision }: Pick<Rule, 'id' | 'revision'>, query: DomainsQuery) =>
  queryOptions({
    queryKey: ruleKeys.domainPage(id, revision, query),
    queryFn: ({ signal }) => api.listRuleDomains({ params: { id }, query, signal }),
    placeholderData: keepPreviousData,
  });

/** Puts an answered rule where every screen sees it. */
function useTakeRule() {
  const client = useQueryClient();
  return (rule: Rule) => {
    // What was done long ago is answered as it was then.
    client.setQueryData<Rule>(ruleKeys.rule(rule.id), (known) =>
      known && known.revision > rule.revision ? known : rule,
    );
    void client.invalidateQueries({ queryKey: ruleKeys.lists() });
    void client.invalidateQueries({ queryKey: ruleKeys.domains(rule.id) });
  };
}

export function useCreateRule() {
  const take = useTakeRule();
  return useMutation({
    mutationFn: async (asked: NewRule) => (await api.createRule(asked)).result,
    onSuccess: take,
    meta: { isSilent: true },
  });
}

/** Its form shows the errors. */
export function useUpdateRule() {
  const take = useTakeRule();
  return useMutation({
    mutationFn: async ({ upon, ...asked }: Save<Rule, RuleChange>) =>
      (await api.updateRule({ params: { id: upon.id }, ifMatch: upon.revision, ...asked })).result,
    onSuccess: take,
    meta: { isSilent: true },
  });
}

export function useDeleteRule() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, cname }: { id: string; cname: string }) => api.deleteRule({ params: { id }, body: { cname } }),
    onSuccess: (_answer, { id }) => {
      client.removeQueries({ queryKey: ruleKeys.detail(id) });
      void client.invalidateQueries({ queryKey: ruleKeys.lists() });
    },
  });
}
