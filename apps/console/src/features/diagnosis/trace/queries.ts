import { useMutation } from '@tanstack/react-query';
import { api } from '../../../app/api-client';
import type { TraceBody } from './trace-values';

/** Its form shows the errors. */
export const useTraceRequest = (id: string) =>
  useMutation({
    mutationFn: async (body: TraceBody) => (await api.traceRequest({ params: { id }, body })).result,
    meta: { isSilent: true },
  });

/** A logged request of the domain; null when there is none with this id. Its field shows the errors. */
export const useFindLogged = (id: string) =>
  useMutation({
    mutationFn: async (requestId: string) =>
      (await api.listRecentRequests({ query: { route_id: id, request_id: requestId.trim(), limit: 1 } })).result[0] ??
      null,
    meta: { isSilent: true },
  });
