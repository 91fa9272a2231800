import { useCallback, useEffect, useRef, useState } from 'react';
import { api } from '../../app/api-client';
import { isTransient } from '../../app/failure';
import type { RowProblem } from './table-state';
import type { ImportTableHandle } from './use-import-table';

/** Names of the quota: what the rows need, and what is left. */
export interface NamesLeft {
  readonly needed: number;
  readonly left: number;
}

export interface RemoteCheck {
  /** The rows as they are now have been checked. */
  readonly isDone: boolean;
  readonly error: unknown;
  readonly names: NamesLeft | undefined;
  /** Rises with each time that it is asked for anew. */
  readonly turn: number;
  retry(): void;
}

/** People mend several cells in a row. */
const PAUSE_MS = 600;

/** Has the API check the rows, anew after each change. */
export function useRemoteCheck(table: ImportTableHandle, cname: string | undefined): RemoteCheck {
  const [done, setDone] = useState('');
  const [error, setError] = useState<unknown>();
  const [names, setNames] = useState<NamesLeft>();
  const [turn, setTurn] = useState(1);
  const { file, worker, take } = table;
  const edition = file?.edition;
  const asked = useRef('');
  const wanted = `${edition} ${cname} ${turn}`;

  useEffect(() => {
    if (edition === undefined || cname === undefined) return;
    const controller = new AbortController();
    const check = async () => {
      try {
        const rows = await worker.call({ kind: 'checkable' });
        if (controller.signal.aborted) return;
        let problems: RowProblem[] = [];
        if (rows.length > 0) {
          const { result } = await api.previewImport({ body: { cname, rows }, signal: controller.signal });
          problems = result.problems as RowProblem[];
          setNames(result.names);
        } else setNames(undefined);
        if (controller.signal.aborted) return;
        const numbers = rows.map(({ row }) => row);
        await take(worker.call({ kind: 'takeRemote', asked: numbers, problems }), false);
        setError(undefined);
        setDone(wanted);
      } catch (thrown) {
        if (!controller.signal.aborted) setError(thrown);
      }
    };
    // The first look at once; the next when the hands rest.
    const isFirst = asked.current === '';
    asked.current = wanted;
    const timer = window.setTimeout(() => void check(), isFirst ? 0 : PAUSE_MS);
    return () => {
      window.clearTimeout(timer);
      controller.abort();
    };
  }, [edition, cname, wanted, worker, take]);

  const retry = useCallback(() => {
    setError(undefined);
    setTurn((before) => before + 1);
  }, []);
  // It only looks: that may be done again by itself.
  useEffect(() => {
    if (!isTransient(error)) return;
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [error, retry]);
  return { isDone: done === wanted, error, names, turn, retry };
}
