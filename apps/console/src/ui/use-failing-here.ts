import { useCallback, useState } from 'react';
import { type Failure, failingHere } from './notices';

/**
 * Runs what a dialog was asked for. Why it failed is for the dialog to show, with `FailureLine`; `run` answers whether it
 * was done. What has an answer of its own for a failure rejects after it gave it.
 */
export function useFailingHere() {
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  async function run(work: () => unknown): Promise<boolean> {
    setRunning(true);
    setFailure(undefined);
    try {
      await failingHere(setFailure, work);
      return true;
    } catch {
      return false;
    } finally {
      setRunning(false);
    }
  }
  return { isRunning, failure, run, forget: useCallback(() => setFailure(undefined), []) };
}
