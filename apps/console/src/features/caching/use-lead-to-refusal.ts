import { type RefObject, useEffect, useEffectEvent } from 'react';
import { useLeadToError } from '../../ui/lead-to-error';

/**
 * Leads to the first wrong field of a form once the API refuses it, when that is drawn: what mutations call themselves comes
 * before. Call what it answers where the form itself refuses.
 */
export function useLeadToRefusal(form: RefObject<HTMLElement | null>, error: unknown): () => void {
  const leadToError = useLeadToError(form);
  const lead = useEffectEvent(leadToError);
  useEffect(() => {
    if (error) lead();
  }, [error]);
  return leadToError;
}
