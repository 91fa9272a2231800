import type { ClientOf, Operation } from '@cordon/contract';

/** Pressed again so soon after the answer, the same write was meant once. */
export const DOUBLE_PRESS_MS = 1_000;

type Call = (input?: Record<string, unknown>) => Promise<unknown>;

/** The write that ended last. */
interface Ended {
  readonly request: string;
  readonly key: string;
  /** Of success. */
  readonly answer?: Promise<unknown>;
  readonly at: number;
}

/** What only reads is no write, whatever its method. */
export const isWrite = ({ method, scope }: Operation): boolean => method !== 'GET' && scope?.endsWith(':read') !== true;

/**
 * The calls of a client, of which no write happens twice by a double press: while one is open, and a moment after its
 * success, the same write is that one. Each carries an Idempotency-Key, which a failed one keeps when it is tried again:
 * one whose answer was lost on the way happens once. With another write in between, the same one is meant anew.
 */
export function withSingleWrites<Ops extends Record<string, Operation>>(
  operations: Ops,
  client: ClientOf<Ops>,
): ClientOf<Ops> {
  const calls = client as unknown as Readonly<Record<string, Call>>;
  const open = new Map<string, Promise<unknown>>();
  let latest: Ended | undefined;

  function write(name: string, call: Call, input: Record<string, unknown> = {}): Promise<unknown> {
    const { signal, idempotencyKey, ...content } = input;
    const request = JSON.stringify([name, content]);
    const running = open.get(request);
    if (running) return running;
    const before = latest?.request === request ? latest : undefined;
    if (before?.answer && Date.now() - before.at < DOUBLE_PRESS_MS) return before.answer;
    const kept = before?.answer ? undefined : before?.key;
    const key = typeof idempotencyKey === 'string' ? idempotencyKey : (kept ?? crypto.randomUUID());
    const answer = call({ ...input, idempotencyKey: key });
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
  }

  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => {
      const call = calls[name] as Call;
      return [name, isWrite(operation) ? (input?: Record<string, unknown>) => write(name, call, input) : call];
    }),
  ) as unknown as ClientOf<Ops>;
}
