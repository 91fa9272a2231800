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

/** Nothing has answered, or the answer was not waited for. */
const isLost = (error: unknown, signal?: AbortSignal): boolean =>
  missingReason(error) !== undefined || signal?.aborted === true;

export const isStale = (error: unknown): boolean => error instanceof ApiError && error.code === 'STALE_REVISION';

/**
 * Saves whose answers may be lost. What nothing answered may have been done, so that what looks like another user's change
 * can be one's own: the same save, sent again, is answered by what it has made, and what is typed since is saved upon that.
 */
export function useSaves<Saved, Body>(
  send: (save: Save<Saved, Body>) => Promise<Saved>,
  revisionOf: (saved: Saved) => number,
) {
  const lost = useRef<Save<Saved, Body>[]>([]);
  const own = useRef<Saved>(undefined);
  const [isUnanswered, setUnanswered] = useState(false);
  const isOf = (one: Saved, upon: Saved) => revisionOf(one) <= revisionOf(upon);
  /** `upon`, or what a save whose answer was lost has made of it. */
  const latestOf = (upon: Saved) => (own.current && !isOf(own.current, upon) ? own.current : upon);

  async function saveOver(upon: Saved, body: Body, signal?: AbortSignal): Promise<Saved> {
    const isAgain = (one: Save<Saved, Body>) => revisionOf(one.upon) === revisionOf(upon) && isSame(one.body, body);
    const asked = lost.current.find(isAgain) ?? { upon, body, idempotencyKey: crypto.randomUUID() };
    try {
      return await send({ ...asked, ...(signal && { signal }) });
    } catch (error) {
      if (isLost(error, signal) && !lost.current.includes(asked)) lost.current.push(asked);
      if (!isStale(error)) throw error;
      // Upon a revision that is past, none of them is done any more: the one that was done is answered, others are refused.
      for (const one of lost.current.filter((before) => isOf(before.upon, upon))) {
        const done = await send(one).catch(() => upon);
        if (isOf(done, upon)) continue;
        own.current = done;
        return saveOver(done, body, signal);
      }
      throw error;
    }
  }

  async function save(upon: Saved, body: Body, signal?: AbortSignal): Promise<Saved> {
    try {
      const saved = await saveOver(latestOf(upon), body, signal);
      lost.current = [];
      setUnanswered(false);
      return saved;
    } catch (error) {
      setUnanswered((was) => isLost(error, signal) || (was && !isStale(error)));
      throw error;
    }
  }
  return { save, latestOf, isUnanswered };
}
