import { type ComponentType, useEffect, useState } from 'react';
import { needCatalogs } from '../app/intl-store';
import { lazyPart } from '../ui/lazy-part';

export const AttackButton = lazyPart(async () => {
  await needCatalogs('attackMode');
  return import('../features/attack-mode/attack-button');
});
let Loaded: ComponentType<{ routeId?: string | undefined }> | undefined;
export const loadAttackBanner = async () => {
  await needCatalogs('attackMode');
  const module = await import('../features/attack-mode/attack-banner');
  Loaded = module.default;
  return module;
};
const LazyBanner = lazyPart(loadAttackBanner);

/** Loaded before, it is there at once: what is lazy would leave its place empty for a moment all the same. */
export function AttackBanner(props: { routeId?: string | undefined }) {
  const [Banner] = useState(() => Loaded ?? LazyBanner);
  return <Banner {...props} />;
}

/** Loads the banner, and says once it can be drawn at once, or not at all. */
export function useAttackBanner(): boolean {
  const [isReady, setReady] = useState(Loaded !== undefined);
  useEffect(() => {
    const end = () => setReady(true);
    void loadAttackBanner().then(end, end);
  }, []);
  return isReady;
}

export const AttackBadge = lazyPart(async () => {
  await needCatalogs('attackMode');
  return import('../features/attack-mode/attack-badge');
});
