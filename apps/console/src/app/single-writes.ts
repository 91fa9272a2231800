import type { CallAround, Operation } from '@cordon/contract';

/** Pressed again so soon after the answer, the same write was meant once. */
export const DOUBLE_PRESS_MS = 1_000;

/** The write that ended last. */
interface Ended {
  readonly request: string;
  readonly key: string;
  /** Of success. */
  readonly answer: Promise<unknown> | undefined;
  readonly at: number;
}

/** What only reads is no write, whatever its method. */
export const isWrite = ({ method, scope, looks }: Pick<Operation, 'method' | 'scope' | 'looks'>): boolean =>
  method !== 'GET' && !looks && scope?.endsWith(':read') !== true;

/**
 * Makes calls so that no write happens twice by a double press: while one is open, and a moment after its success, the
 * same write is that one. Each carries an Idempotency-Key, which a failed one keeps when it is tried again: one whose
 * answer was lost on the way happens once. With another write in between, the same one is meant anew.
 */
export function createSingleWrites(): CallAround {
  const open = new Map<string, Promise<unknown>>();
  let latest: Ended | undefined;
  return (name, operation, input, send) => {
    if (!isWrite(operation)) return send(input);
    const { signal, idempotencyKey, ...content } = input;
    const request = JSON.stringify([name, content]);
    const running = open.get(request);
    if (running) return running;
    const before = latest?.request === request ? latest : undefined;
    if (before?.answer && Date.now() - before.at < DOUBLE_PRESS_MS) return before.answer;
    const kept = before?.answer ? undefined : before?.key;
    const key = typeof idempotencyKey === 'string' ? idempotencyKey : (kept ?? crypto.randomUUID());
    const answer = send({ ...input, idempotencyKey: key });
    open.set(request, answer);
    const end = (success?: Promise<unknown>) => {
      open.delete(request);
      latest = { request, key, answer: success, at: Date.now() };
    };
    answer.then(
      () => end(answer),
      () => end(),
    );
    return answer;
  };
}
