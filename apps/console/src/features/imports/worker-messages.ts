import type { ImportColumn, ImportRow } from '@cordon/contract';
import type { Encoding, FileProblemCode } from './file/sheet';
import type { RowProblem, ShownRow, TableQuery, TableSummary } from './table-state';

/** What the screen asks of the worker that holds the rows. */
export type WorkerCall =
  | { kind: 'open'; bytes: ArrayBuffer; encoding: Encoding | undefined }
  | { kind: 'paste'; text: string }
  | { kind: 'view'; query: TableQuery }
  | { kind: 'edit'; row: number; column: ImportColumn; text: string }
  | { kind: 'remove'; row: number }
  | { kind: 'removeBad' }
  | { kind: 'restore' }
  | { kind: 'fillEmpty' }
  | { kind: 'splitUrls' }
  | { kind: 'runAll' }
  | { kind: 'takeRemote'; asked: readonly number[]; problems: readonly RowProblem[] }
  | { kind: 'checkable' }
  | { kind: 'sendable' };

export interface OpenedTable extends TableSummary {
  readonly encoding: Encoding | undefined;
}

export interface WorkerAnswers {
  open: OpenedTable;
  paste: OpenedTable;
  view: { rows: ShownRow[]; count: number };
  edit: TableSummary;
  remove: TableSummary;
  removeBad: TableSummary;
  restore: TableSummary;
  fillEmpty: TableSummary;
  splitUrls: TableSummary;
  runAll: TableSummary;
  takeRemote: TableSummary;
  checkable: ImportRow[];
  sendable: ImportRow[];
}

export interface WorkerQuestion {
  readonly id: number;
  readonly call: WorkerCall;
}

export type WorkerAnswer =
  | { readonly id: number; readonly result: WorkerAnswers[keyof WorkerAnswers] }
  | { readonly id: number; readonly problem: { code: FileProblemCode; params: Record<string, string | number> } };

/** Said once by a worker whose file has arrived. */
export const READY = 'ready';
