import { explainMissing } from '../../ui/lazy-part';
import { FileProblem } from './file/sheet';
import { READY, type WorkerAnswer, type WorkerAnswers, type WorkerCall, type WorkerQuestion } from './worker-messages';

/** The worker that holds the rows, as calls that answer. */
export interface TableWorker {
  call<Kind extends WorkerCall['kind']>(call: Extract<WorkerCall, { kind: Kind }>): Promise<WorkerAnswers[Kind]>;
  end(): void;
}

/** No table within the bounds takes a tenth of it; what does is made to. */
const OPEN_MS_MAX = 20_000;

/**
 * Starts the worker. A file that it cannot get through in time ends it, and is refused. Where the worker's own file does not
 * arrive, calls reject with `LoadError`; the next one asks for it again.
 */
export function startTableWorker(): TableWorker {
  let worker: Worker | undefined;
  let isReady = false;
  let next = 0;
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();

  function start(): Worker {
    const started = new Worker(new URL('./import-worker.ts', import.meta.url), { type: 'module' });
    started.addEventListener('message', ({ data }: MessageEvent<WorkerAnswer | typeof READY>) => {
      if (data === READY) {
        isReady = true;
        return;
      }
      const one = waiting.get(data.id);
      waiting.delete(data.id);
      if ('problem' in data) one?.reject(new FileProblem(data.problem.code, data.problem.params));
      else one?.resolve(data.result as never);
    });
    started.addEventListener('error', (event) => {
      // Of a file that did not arrive there is no message.
      if (event.message) fail(new FileProblem('DAMAGED', { message: event.message }));
      else void explainMissing(event).catch(fail);
    });
    isReady = false;
    return started;
  }
  function fail(problem: Error) {
    worker?.terminate();
    worker = undefined;
    for (const { reject } of waiting.values()) reject(problem);
    waiting.clear();
  }

  return {
    call(call) {
      worker ??= start();
      const id = next++;
      const question: WorkerQuestion = { id, call };
      const timer =
        call.kind === 'open' || call.kind === 'paste'
          ? setTimeout(
              () => (isReady ? fail(new FileProblem('TOO_SLOW')) : void explainMissing(undefined).catch(fail)),
              OPEN_MS_MAX,
            )
          : undefined;
      const answer = new Promise<never>((resolve, reject) => waiting.set(id, { resolve, reject }));
      worker.postMessage(question);
      return answer.finally(() => clearTimeout(timer));
    },
    end() {
      worker?.terminate();
      worker = undefined;
      waiting.clear();
    },
  };
}
