import type { CallAround, Operation } from '@cordon/contract';

/** Pressed again so soon after the answer, the same write was meant once. */
export const DOUBLE_PRESS_MS = 1_000;
/** Tried again within this time of its failure, a write is the one that failed. */
export const KEY_KEPT_MS = 30_000;

/** The write that ended last. */
interface Ended {
  readonly request: string;
  readonly key: string;
  /** Of success. */
  readonly answer: Promise<unknown> | undefined;
  /** Why it failed. */
  readonly error: unknown;
  readonly at: number;
}

/** What only reads is no write, whatever its method. Of several scopes all read, or none. */
export const isWrite = ({ method, scope, looks }: Pick<Operation, 'method' | 'scope' | 'looks'>): boolean =>
  method !== 'GET' && !looks && !`${scope}`.endsWith(':read');

/**
 * Makes calls so that no write happens twice by a double press: while one is open, and a moment after its success, the
 * same write is that one. Each carries an Idempotency-Key. One that may be done only once keeps it when it is tried again
 * soon after it failed: where only the answer was lost, it happens once. What only sets a state is meant anew each time:
 * the answer of before would say that it is so, whatever has become of it meanwhile.
 * @param onMended Called with the failure of a write that was done when it was tried again next.
 */
export function createSingleWrites(onMended: (error: unknown) => void): CallAround {
  const open = new Map<string, Promise<unknown>>();
  let latest: Ended | undefined;
  return (name, operation, input, send) => {
    if (!isWrite(operation)) return send(input);
    const { signal, idempotencyKey, ...content } = input;
    const request = JSON.stringify([name, content]);
    const running = open.get(request);
    if (running) return running;
    const before = latest?.request === request ? latest : undefined;
    const age = before ? Date.now() - before.at : 0;
    if (before?.answer && age < DOUBLE_PRESS_MS) return before.answer;
    // Upon the same revision it is the same however late.
    const isSame = before && !before.answer && (operation.ifMatch || (operation.once && age < KEY_KEPT_MS));
    const key = typeof idempotencyKey === 'string' ? idempotencyKey : isSame ? before.key : crypto.randomUUID();
    const answer = send({ ...input, idempotencyKey: key });
    open.set(request, answer);
    const end = (success?: Promise<unknown>, error?: unknown) => {
      open.delete(request);
      latest = { request, key, answer: success, error, at: Date.now() };
    };
    answer.then(
      () => {
        end(answer);
        onMended(before?.error);
      },
      (error: unknown) => end(undefined, error),
    );
    return answer;
  };
}
