import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { type AddDomainValues, type AddStep, STEP_FIELDS } from './add-domain-values';

/** Whether what is being asked still counts. */
export type IsCurrent = () => boolean;

/**
 * The way on from a step, which waits for what only the API can tell: its answer counts while the step is there, stands as
 * it was when it was asked about, and is not about to be thrown away.
 */
export function usePassage(form: UseFormReturn<AddDomainValues>, step: AddStep, body: RefObject<HTMLElement | null>) {
  const attempt = useRef<object>(undefined);
  const [isChecking, setChecking] = useState(false);

  const end = useCallback(() => {
    attempt.current = undefined;
    setChecking(false);
  }, []);
  useEffect(() => {
    const typed = () => {
      const values = form.getValues();
      return JSON.stringify(STEP_FIELDS[step].map((field) => values[field]));
    };
    let before = typed();
    const { unsubscribe } = form.watch(() => {
      const now = typed();
      if (now !== before) end();
      before = now;
    });
    return () => {
      unsubscribe();
      end();
    };
  }, [form, step, end]);

  /** `pass` asks and goes on; while another does, nothing happens. */
  async function begin(pass: (isCurrent: IsCurrent) => Promise<void>) {
    if (attempt.current) return;
    const own = {};
    attempt.current = own;
    setChecking(true);
    const isAskedToLeave = () => body.current?.closest('[data-nested-dialog-open]') !== null;
    try {
      await pass(() => attempt.current === own && !isAskedToLeave());
    } finally {
      if (attempt.current === own) end();
    }
  }
  return { isChecking, begin };
}
