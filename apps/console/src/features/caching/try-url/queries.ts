import type { CallInput, Operations } from '@cordon/contract';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../../app/api-client';

export type TryBody = CallInput<Operations['tryCache']>['body'];

/** What is wrong with the URL is said beside it. */
export const useTryCache = (id: string) =>
  useMutation({
    mutationFn: async (body: TryBody) => (await api.tryCache({ params: { id }, body })).result,
    meta: { isSilent: true },
  });

/** Has one node fetch what was tried. */
export const useFetchIntoCache = (id: string) =>
  useMutation({
    mutationFn: async (body: TryBody & { refresh: boolean }) =>
      (await api.fetchIntoCache({ params: { id }, body })).result,
    meta: { isSilent: true },
  });
