import { type ComponentType, useState } from 'react';
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
export const AttackBadge = lazyPart(async () => {
  await needCatalogs('attackMode');
  return import('../features/attack-mode/attack-badge');
});
