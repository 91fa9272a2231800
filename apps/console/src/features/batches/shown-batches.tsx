import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { getSession } from '../../app/session/session';
import { whenSessionKnown } from '../../app/session-ready';
import { BatchProgress } from '../../domain/batches/batch-progress';
import { batchKeys, runningBatchesOptions } from '../../domain/batches/queries';
import { loadTwice } from '../../ui/lazy-part';

const STORAGE_KEY = 'domains.batches';
/** More would push the list off the screen. */
const SHOWN_MAX = 3;

function readStoredIds(): string[] {
  try {
    const stored: unknown = JSON.parse(window.sessionStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

function storeIds(ids: readonly string[]) {
  try {
    window.sessionStorage.setItem(STORAGE_KEY, JSON.stringify(ids));
  } catch {
    // Without storage a reload shows what still runs.
  }
}

/** Says when the batch is done; without the file the panel alone does. */
const watchBatch = (id: string): void =>
  void loadTwice(() => import('./batch-watch')).then(
    ({ watchBatch: watch }) => watch(id),
    () => undefined,
  );

/** Batches over the list: what the account has running, and what was started here until it is dismissed. */
export function useShownBatches() {
  const client = useQueryClient();
  // While it is not known who is here, it may be what another user has left in this tab.
  const [shownIds, setShownIds] = useState(() => (getSession().status === 'signed-in' ? readStoredIds() : []));
  const { data: running } = useQuery(runningBatchesOptions);
  const keep = useCallback((change: (before: string[]) => string[]) => {
    setShownIds((before) => {
      const next = change(before).slice(0, SHOWN_MAX);
      storeIds(next);
      return next;
    });
  }, []);
  useEffect(() => {
    void whenSessionKnown().then(() => keep((before) => [...new Set([...before, ...readStoredIds()])]));
  }, [keep]);
  useEffect(() => {
    // After a reload as well as from another window: what runs is followed, and its result stays to be read.
    const ids = running?.map(({ id }) => id) ?? [];
    for (const id of ids) watchBatch(id);
    if (ids.length > 0) keep((before) => [...before, ...ids.filter((id) => !before.includes(id))]);
  }, [running, keep]);
  return {
    ids: shownIds,
    show: useCallback(
      (id: string) => {
        watchBatch(id);
        // A double press answers both with the one batch.
        keep((before) => [id, ...before.filter((one) => one !== id)]);
        void client.invalidateQueries({ queryKey: batchKeys.running() });
      },
      [client, keep],
    ),
    dismiss: useCallback((id: string) => keep((before) => before.filter((one) => one !== id)), [keep]),
  };
}

interface ShownBatchesProps {
  ids: readonly string[];
  onDismiss: (id: string) => void;
  /** A batch that undoes another. */
  onStarted: (id: string) => void;
}

export function ShownBatches({ ids, onDismiss, onStarted }: ShownBatchesProps) {
  if (ids.length === 0) return null;
  return (
    <div className="mb-4 flex flex-col gap-3">
      {ids.map((id) => (
        <BatchProgress key={id} batchId={id} onDismiss={() => onDismiss(id)} onStarted={onStarted} />
      ))}
    </div>
  );
}
