import { Counter } from 'prom-client';
import type { DropReason } from './access-log.ts';

/** Counters of what became of the nodes' batches. In no registry yet: the module registers them where it is mounted. */
export function createBatchCounters() {
  const stored = new Counter({
    name: 'cordon_access_log_rows_stored_total',
    help: 'Access log rows stored.',
    registers: [],
  });
  const repeated = new Counter({
    name: 'cordon_access_log_batches_repeated_total',
    help: 'Batches that a node sent again after they were stored.',
    registers: [],
  });
  const dropped = new Counter({
    name: 'cordon_access_log_rows_dropped_total',
    help: 'Access log rows not stored, by reason.',
    labelNames: ['reason'],
    registers: [],
  });
  return {
    metrics: [stored, repeated, dropped],
    stored: (rows: number) => stored.inc(rows),
    repeated: () => repeated.inc(),
    dropped: (reason: DropReason, rows: number) => dropped.inc({ reason }, rows),
  };
}

export type BatchCounters = ReturnType<typeof createBatchCounters>;
