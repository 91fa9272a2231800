import type { CallOutput } from '@cordon/contract';
import type { PluginOperations } from '@cordon/plugins/operations';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { api } from '../../app/api-client';
import { missingReason } from '../../app/failure';
import { domainKeys } from '../../domain/data/keys';

export type AttackMode = CallOutput<PluginOperations['startAttackMode']>['result'];
/** What an end was answered with: whether it was on, what is on still, and whether it rests. */
export type AttackEnd = CallOutput<PluginOperations['endAttackMode']>['result'];

export const attackModeKeys = {
  all: ['attack-mode'] as const,
  list: (routeId: string | undefined) => [...attackModeKeys.all, routeId ?? null] as const,
  rest: (routeId: string) => [...attackModeKeys.all, routeId, 'rest'] as const,
};

/** Somebody else may switch it on or off. */
export const POLL_MS = 15_000;

/** Modes that hold for a domain; for the account and all its domains, where none is given. */
export const attackModesOptions = (routeId: string | undefined) =>
  queryOptions({
    queryKey: attackModeKeys.list(routeId),
    queryFn: async ({ signal }) =>
      (await api.listAttackModes({ query: routeId === undefined ? {} : { route_id: routeId }, signal })).result,
    refetchInterval: POLL_MS,
    meta: { isSilent: true },
  });

/** Of modes that hold for a domain, or the account: its own before that of the account. */
export const holdingMode = (modes: readonly AttackMode[] | undefined, routeId: string | undefined) =>
  modes?.find((mode) => mode.route_id === (routeId ?? null)) ?? modes?.find((mode) => mode.route_id === null);

/** Says of a press that failed what the mode is by that; of one that nothing answered it is not known. */
function useWhatFailed(press: 'start' | 'change' | 'end') {
  const t = useTranslations('attackMode.failed');
  return (error: unknown) => t(missingReason(error) ? `${press}Unknown` : press);
}

/** Switches it on, or changes for how long, for a domain or (null) the account. */
export function useStartAttackMode(routeId: string | null, isOn = false) {
  const client = useQueryClient();
  const whatFailed = useWhatFailed(isOn ? 'change' : 'start');
  return useMutation({
    meta: { whatFailed },
    mutationFn: async (seconds: number) => (await api.startAttackMode({ body: { route_id: routeId, seconds } })).result,
    onSuccess: () => client.invalidateQueries({ queryKey: attackModeKeys.all }),
  });
}

/** With the mode goes, or comes, what is said of visitors who do not pass it. */
function useReadAnew() {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: domainKeys.lists() });
    void client.invalidateQueries({ queryKey: domainKeys.health() });
    void client.invalidateQueries({ queryKey: domainKeys.details() });
    return client.invalidateQueries({ queryKey: attackModeKeys.all });
  };
}

export function useEndAttackMode(routeId: string | null) {
  const whatFailed = useWhatFailed('end');
  return useMutation({
    meta: { whatFailed },
    mutationFn: async () => (await api.endAttackMode({ body: { route_id: routeId } })).result,
    onSuccess: useReadAnew(),
  });
}

/** Takes the end back. */
export function useRestoreAttackMode(routeId: string | null) {
  const whatFailed = useWhatFailed('start');
  return useMutation({
    meta: { whatFailed },
    mutationFn: async () => (await api.restoreAttackMode({ body: { route_id: routeId } })).result,
    onSuccess: useReadAnew(),
  });
}
