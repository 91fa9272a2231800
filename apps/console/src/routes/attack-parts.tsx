import { useEffect, useState } from 'react';
import { needCatalogs } from '../app/intl-store';
import { lazyPart } from '../ui/lazy-part';
import { loadedPart } from '../ui/loaded-part';

export const AttackButton = lazyPart(async () => {
  await needCatalogs('attackMode');
  return import('../features/attack-mode/attack-button');
});
export const AttackBanner = loadedPart<{ routeId?: string | undefined }>(async () => {
  await needCatalogs('attackMode');
  return import('../features/attack-mode/attack-banner');
});

/** Loads the banner, and says once it can be drawn at once, or not at all. */
export function useAttackBanner(): boolean {
  const [isReady, setReady] = useState(AttackBanner.isLoaded);
  useEffect(() => {
    const end = () => setReady(true);
    void AttackBanner.load().then(end, end);
  }, []);
  return isReady;
}
