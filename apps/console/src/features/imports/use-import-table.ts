import type { ImportColumn } from '@cordon/contract';
import { useCallback, useEffect, useRef, useState } from 'react';
import { dismissNotice } from '../../ui/notices';
import { LoadError } from '../../ui/reach';
import { type Encoding, FileProblem } from './file/sheet';
import type { TableSummary } from './table-state';
import { startTableWorker } from './table-worker';
import type { OpenedTable } from './worker-messages';

export interface OpenFile {
  readonly name: string;
  /** Undefined for pasted rows. */
  readonly bytes: ArrayBuffer | undefined;
  readonly encoding: Encoding | undefined;
  readonly summary: TableSummary;
  /** Rises with each change of the rows; what was asked about an earlier one is old. */
  readonly revision: number;
  /** Rises with each change that a person made: then the API has to be asked again. */
  readonly edition: number;
  /** Rows are other than they were read. */
  readonly isMended: boolean;
}

/** Its Undo brings back what was removed last: it goes when that is something else. */
export const REMOVED_NOTICE = 'import-removed';

/** A file that is being looked at; its rows live in a worker. */
export function useImportTable() {
  const [worker] = useState(startTableWorker);
  const [file, setFile] = useState<OpenFile>();
  const [isReading, setReading] = useState(false);
  const [problem, setProblem] = useState<FileProblem | LoadError>();
  const opened = useRef(0);
  const last = useRef(() => Promise.resolve());
  useEffect(
    () => () => {
      opened.current = Number.NaN;
      worker.end();
    },
    [worker],
  );

  const read = useCallback(async (name: string, bytes: ArrayBuffer | undefined, ask: () => Promise<OpenedTable>) => {
    const turn = ++opened.current;
    last.current = () => read(name, bytes, ask);
    dismissNotice(REMOVED_NOTICE);
    setReading(true);
    setProblem(undefined);
    try {
      const { encoding, ...summary } = await ask();
      if (turn === opened.current)
        setFile({ name, bytes, encoding, summary, revision: turn * 1e6, edition: turn * 1e6, isMended: false });
    } catch (error) {
      if (!(error instanceof FileProblem || error instanceof LoadError)) throw error;
      if (turn !== opened.current) return;
      setFile(undefined);
      setProblem(error);
    } finally {
      if (turn === opened.current) setReading(false);
    }
  }, []);

  const take = useCallback(async (answer: Promise<TableSummary>, isEdition: boolean) => {
    const turn = opened.current;
    const summary = await answer;
    if (turn !== opened.current) return;
    setFile(
      (before) =>
        before && {
          ...before,
          summary,
          revision: before.revision + 1,
          edition: before.edition + (isEdition ? 1 : 0),
          isMended: before.isMended || isEdition,
        },
    );
  }, []);

  return {
    file,
    isReading,
    problem,
    worker,
    take,
    open: useCallback(
      (name: string, bytes: ArrayBuffer, encoding?: Encoding) =>
        read(name, bytes, () => worker.call({ kind: 'open', bytes, encoding })),
      [read, worker],
    ),
    /** Reads once more what was opened last. */
    retry: useCallback(() => last.current(), []),
    paste: useCallback(
      (name: string, text: string) => read(name, undefined, () => worker.call({ kind: 'paste', text })),
      [read, worker],
    ),
    edit: useCallback(
      (row: number, column: ImportColumn, text: string) => take(worker.call({ kind: 'edit', row, column, text }), true),
      [take, worker],
    ),
    remove: useCallback(
      (row: number) => {
        dismissNotice(REMOVED_NOTICE);
        return take(worker.call({ kind: 'remove', row }), true);
      },
      [take, worker],
    ),
    removeBad: useCallback(() => take(worker.call({ kind: 'removeBad' }), true), [take, worker]),
    /** Asked by a notice, which may outlive the file. */
    restore: useCallback(
      async () => (Number.isNaN(opened.current) ? undefined : take(worker.call({ kind: 'restore' }), true)),
      [take, worker],
    ),
    fillEmpty: useCallback(() => take(worker.call({ kind: 'fillEmpty' }), true), [take, worker]),
    splitUrls: useCallback(() => take(worker.call({ kind: 'splitUrls' }), true), [take, worker]),
    runAll: useCallback(() => take(worker.call({ kind: 'runAll' }), true), [take, worker]),
    close: useCallback(() => {
      opened.current++;
      setFile(undefined);
      setProblem(undefined);
      setReading(false);
    }, []),
  };
}
export type ImportTableHandle = ReturnType<typeof useImportTable>;
