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
/** On this page, until it is loaded anew: also what has succeeded, which can be undone. */
let shown: readonly string[] = [];
const succeeded = new Set<string>();

function readStoredIds(): string[] {
  try {
    const stored: unknown = JSON.parse(window.sessionStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

/** What has succeeded is not shown again after a reload. */
function storeIds() {
  try {
    window.sessionStorage.setItem(STORAGE_KEY, JSON.stringify(shown.filter((id) => !succeeded.has(id))));
  } catch {
    // Without storage a reload shows what still runs.
  }
}

const knownIds = () => [...new Set([...shown, ...readStoredIds()])];
const noteSuccess = (id: string) => {
  succeeded.add(id);
  storeIds();
};

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
  const [shownIds, setShownIds] = useState(() => (getSession().status === 'signed-in' ? knownIds() : []));
  const { data: running } = useQuery(runningBatchesOptions);
  const keep = useCallback((change: (before: string[]) => string[]) => {
    setShownIds((before) => {
      const next = change(before).slice(0, SHOWN_MAX);
      shown = next;
      storeIds();
      return next;
    });
  }, []);
  useEffect(() => {
    void whenSessionKnown().then(() => keep((before) => [...new Set([...before, ...knownIds()])]));
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
        <BatchProgress
          key={id}
          batchId={id}
          onDismiss={() => onDismiss(id)}
          onStarted={onStarted}
          onSucceeded={noteSuccess}
        />
      ))}
    </div>
  );
}
