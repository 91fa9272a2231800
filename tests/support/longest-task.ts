import type { Browser } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Processor time of the thread, in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

const TASK = 'ThreadControllerImpl::RunTask';

/**
 * Processor milliseconds of the longest task that a page runs while `work` goes on: how long the page does not answer on a
 * machine with nothing else to do. Time of the clock would count what other tests take from the processors.
 */
export async function longestTaskOf(browser: Browser, work: () => Promise<void>): Promise<number> {
  await browser.startTracing(undefined, { categories: ['toplevel'] });
  let trace: Buffer;
  try {
    await work();
  } finally {
    trace = await browser.stopTracing();
  }
  const events: TraceEvent[] = JSON.parse(trace.toString()).traceEvents;
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const pages = new Set(
    events.filter((event) => event.name === 'thread_name' && event.args?.name === 'CrRendererMain').map(threadOf),
  );
  const tasks = events.filter((event) => event.name === TASK && pages.has(threadOf(event)));
  if (tasks.length === 0) throw new Error('the trace has no task of a page');
  return Math.max(...tasks.map((event) => (event.tdur ?? 0) / 1000));
}
