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
export const EndAttack = lazyPart(async () => {
  await needCatalogs('attackMode');
  return import('../features/attack-mode/end-attack');
});
