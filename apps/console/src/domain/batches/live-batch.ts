import type { Batch, BatchProgress } from '@cordon/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLiveEvents } from '../../app/live-events';
import { batchKeys } from './queries';

/** Changes of many domains come as one event each: what they make of a batch is asked for together. */
const CHANGES_MS = 1000;

/** Asks anew whether batches that have ended can be undone, which changes of their domains put an end to. */
export function useLiveUndo(ids: readonly (string | null | undefined)[]): void {
  const client = useQueryClient();
  const timer = useRef<number>(undefined);
  const latest = useRef(ids);
  latest.current = ids;
  useEffect(() => () => window.clearTimeout(timer.current), []);
  useLiveEvents('domain', ({ batch }) => {
    if (batch) return;
    timer.current ??= window.setTimeout(() => {
      timer.current = undefined;
      for (const id of latest.current)
        if (id) void client.invalidateQueries({ queryKey: batchKeys.batch(id), exact: true });
    }, CHANGES_MS);
  });
}

/** Keeps a batch fresh by the websocket's events. */
export function useLiveBatches(onProgress?: (progress: BatchProgress) => void): void {
  const client = useQueryClient();
  useLiveEvents('domain', ({ batch }) => {
    if (!batch) return;
    client.setQueryData<Batch>(batchKeys.batch(batch.id), (before) => before && { ...before, ...batch });
    onProgress?.(batch);
  });
}
