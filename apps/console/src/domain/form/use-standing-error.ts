import { onlineManager } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { missingReason } from '../../app/failure';

/**
 * Why what a form asked for failed, for as long as that is true: that nothing answered says nothing any more once there is a
 * network again, nor of what was chosen since. @param content What is chosen in the form; another value with each change.
 */
export function useStandingError<Failure>(error: Failure | null, content: unknown): Failure | null {
  const [past, setPast] = useState<Failure | null>(null);
  const askedWith = useRef(content);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was chosen when it failed
  useEffect(() => {
    if (missingReason(error) === undefined) return setPast(null);
    askedWith.current = content;
    return onlineManager.subscribe((isOnline) => isOnline && setPast(error));
  }, [error]);
  useEffect(() => {
    if (missingReason(error) !== undefined && askedWith.current !== content) setPast(error);
  }, [error, content]);
  return error === past ? null : error;
}
