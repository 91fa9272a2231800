import { useSyncExternalStore } from 'react';
import { isPhone, PHONE } from './is-phone';

function subscribe(onChange: () => void) {
  const media = window.matchMedia(PHONE);
  media.addEventListener('change', onChange);
  return () => media.removeEventListener('change', onChange);
}

/** Whether the screen is as narrow as a phone's, followed as it is turned or resized. */
export const useIsPhone = (): boolean => useSyncExternalStore(subscribe, isPhone);
