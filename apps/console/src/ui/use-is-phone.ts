import { useSyncExternalStore } from 'react';
import { isPhone, PHONE } from './is-phone';

function subscribe(onChange: () => void) {
  const media = window.matchMedia(PHONE);
  media.addEventListener('change', onChange);
  return () => media.removeEventListener('change', onChange);
}

/** Whether it is one, also after a turn. */
export const useIsPhone = (): boolean => useSyncExternalStore(subscribe, isPhone);
