import { useEffect, useState } from 'react';

/** From then on nobody believes that an answer comes in a moment. */
const LONG_MS = 10_000;

/**
 * Whether something has been on its way for long.
 * @param busy Another number: asked for anew.
 */
export function useLong(busy: boolean | number): boolean {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!busy) return;
    const timer = window.setTimeout(() => setLong(true), LONG_MS);
    return () => {
      window.clearTimeout(timer);
      setLong(false);
    };
  }, [busy]);
  return isLong && !!busy;
}
