import type { DiagnosisCheck, DiagnosisLine } from '@cordon/contract';
import type { Log } from '../../platform/log.ts';
import type { Found } from '../health/service.ts';

const ITEMS_MAX = 100;

/** One line, never later than `timeoutMs`: a check that hangs or breaks becomes a line that says so. */
export async function boundedLine(
  check: DiagnosisCheck,
  work: () => Promise<Found>,
  timeoutMs: number,
  log: Pick<Log, 'error'>,
): Promise<DiagnosisLine> {
  const startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Found>((resolve) => {
    timer = setTimeout(() => resolve({ state: 'unknown', finding: 'timed_out', advice: 'retry' }), timeoutMs);
  });
  const done = work().catch((err: unknown): Found => {
    log.error({ err, check }, 'a check of a diagnosis failed');
    return { state: 'unknown', finding: 'failed', advice: 'retry' };
  });
  const found = await Promise.race([done, late]);
  clearTimeout(timer);
  return {
    check,
    state: found.state,
    finding: found.finding,
    params: found.params ?? {},
    advice: found.advice ?? null,
    items: (found.items ?? []).slice(0, ITEMS_MAX),
    took_ms: Math.round(performance.now() - startedAt),
  };
}
