import { useEffect, useState } from 'react';
import { missingReason } from '../../app/failure';
import { leavesOpen } from '../data/use-saves';

/**
 * What a question is about: `current`, and once its request is on the way what that was, whatever becomes of `current`
 * meanwhile. Where nothing answers, the next press sends the very same request, and is answered by what was done. A refusal
 * lets go of it, and so does another `question`, such as the next one after it was closed.
 */
export function useAsked<State>(question: unknown, current: State) {
  const [asked, setAsked] = useState<{ readonly about: State; readonly isLost: boolean }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: at the end of each question
  useEffect(() => () => setAsked(undefined), [question]);
  const about = asked ? asked.about : current;
  async function ask<Answer>(send: () => Promise<Answer>): Promise<Answer> {
    setAsked({ about, isLost: false });
    try {
      return await send();
    } catch (error) {
      const isLost = missingReason(error) !== undefined || (asked?.isLost === true && leavesOpen(error));
      setAsked(isLost ? { about, isLost } : undefined);
      throw error;
    }
  }
  return { about, ask, isLost: asked?.isLost ?? false };
}
