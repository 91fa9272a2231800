import { ApiError, isSame } from '@cordon/contract';
import { useRef, useState } from 'react';
import { missingReason } from '../../app/failure';

/** A change of what is at a revision (If-Match): of `upon`. With the same key it happens once. */
export interface Save<Saved, Body> {
  readonly upon: Saved;
  readonly body: Body;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

interface SavesParts<Saved, Body> {
  readonly send: (save: Save<Saved, Body>) => Promise<Saved>;
  readonly revisionOf: (saved: Saved) => number;
  /** As it is now; undefined where that cannot be read. */
  readonly readNewest: () => Promise<Saved | undefined>;
}

/** Nothing has answered, or the answer was not waited for. */
const isLost = (error: unknown, signal?: AbortSignal): boolean =>
  missingReason(error) !== undefined || signal?.aborted === true;

/** An answer that leaves open what became of the try before: its request may still run, or was not looked at. */
export const leavesOpen = (error: unknown): boolean =>
  error instanceof ApiError &&
  (['OPERATION_RUNNING', 'ANSWER_LOST'].includes(`${error.code}`) || error.status === 429 || error.status === 401);

export const isStale = (error: unknown): boolean => error instanceof ApiError && error.code === 'STALE_REVISION';

/**
 * Saves whose answers may be lost. What nothing answered may have been done, so that what looks like another user's change
 * can be one's own: the same save, sent again, is answered by what it has made, and what is typed since is saved upon that.
 */
export function useSaves<Saved, Body>({ send, revisionOf, readNewest }: SavesParts<Saved, Body>) {
  const lost = useRef<readonly Save<Saved, Body>[]>([]);
  const own = useRef<Saved>(undefined);
  const [isUnanswered, setUnanswered] = useState(false);
  const isPast = (one: Saved, upon: Saved) => revisionOf(one) <= revisionOf(upon);

  /** `upon`, or what a save whose answer was lost has made of it. */
  const latestOf = (upon: Saved) => (own.current && !isPast(own.current, upon) ? own.current : upon);

  /** None is in doubt any more. */
  function settle() {
    lost.current = [];
    setUnanswered(false);
  }

  /** What one of those in doubt has made of `upon`; undefined where none was done. Throws where that is still not known. */
  async function findOwn(upon: Saved): Promise<Saved | undefined> {
    for (const one of lost.current.filter((before) => isPast(before.upon, upon))) {
      // Upon a revision that is past it is not done any more: it is answered by what it has done, or refused.
      const done = await send(one).catch((error: unknown) => {
        if (isLost(error, one.signal) || leavesOpen(error)) throw error;
        return upon;
      });
      if (!isPast(done, upon)) return done;
    }
    return undefined;
  }

  /** Throws STALE_REVISION where another change came between: then `latestOf` is what it came to. */
  async function save(given: Saved, body: Body, signal?: AbortSignal): Promise<Saved> {
    const upon = latestOf(given);
    const again = lost.current.find((one) => revisionOf(one.upon) === revisionOf(upon) && isSame(one.body, body));
    const asked = again ?? { upon, body, idempotencyKey: crypto.randomUUID() };
    let saved: Saved;
    try {
      saved = await send({ ...asked, ...(signal && { signal }) });
    } catch (error) {
      if (isLost(error, signal)) {
        if (!again) lost.current = [...lost.current, asked];
        setUnanswered(true);
      }
      if (!isStale(error)) throw error;
      const done = await findOwn(upon);
      settle();
      if (!done) throw error;
      own.current = done;
      return save(done, body, signal);
    }
    settle();
    // It may have been done long ago, and changed since.
    const newest = again && (await readNewest());
    if (newest && !isPast(newest, saved)) throw new ApiError(412, 'STALE_REVISION', undefined, []);
    return saved;
  }

  /** What was in doubt is given up, for what is there now. */
  function forget() {
    settle();
    own.current = undefined;
  }
  return { save, latestOf, isUnanswered, forget };
}
