import { useEffect, useRef, useState } from 'react';
import type { Failure } from './notices';
import { tellingHere } from './telling-here';

/**
 * Runs what a dialog was asked for, and closes it once that is done. Why it failed is for the dialog to show, with
 * `FailureLine`. What is still on its way when the dialog closes has nothing to do with the next one that opens: it neither
 * closes nor holds that, and a notice says why it failed.
 */
export function useFailingHere(open: boolean, onOpenChange: (open: boolean) => void) {
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const latest = useRef<object>(undefined);
  useEffect(() => {
    if (!open) return;
    return () => {
      latest.current = undefined;
      setRunning(false);
      setFailure(undefined);
    };
  }, [open]);
  /** Answers whether it was done. */
  async function run(work: () => unknown): Promise<boolean> {
    const mine = {};
    const isHere = () => latest.current === mine;
    latest.current = mine;
    setRunning(true);
    setFailure(undefined);
    try {
      await tellingHere((told) => {
        if (isHere()) setFailure(told);
        return isHere();
      }, work);
      if (isHere()) onOpenChange(false);
      return true;
    } catch {
      // It is true no more once there is a network again.
      if (!navigator.onLine) addEventListener('online', () => isHere() && setFailure(undefined), { once: true });
      return false;
    } finally {
      if (isHere()) setRunning(false);
    }
  }
  return { isRunning, failure, run };
}
