import { useCallback, useSyncExternalStore } from 'react';
import { PHONE } from './is-phone';

/** Whether a media query matches, followed as the window is turned or resized. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', onChange);
      return () => media.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}

/** Whether the screen is as narrow as a phone's. */
export const useIsPhone = (): boolean => useMedia(PHONE);
