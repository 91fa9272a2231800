import { needCatalogs } from '../app/intl-store';
import { lazyPart } from '../ui/lazy-part';

export const AttackButton = lazyPart(async () => {
  await needCatalogs('attackMode');
  return import('../features/attack-mode/attack-button');
});
export const AttackBanner = lazyPart(async () => {
  await needCatalogs('attackMode');
  return import('../features/attack-mode/attack-banner');
});
export const AttackBadge = lazyPart(async () => {
  await needCatalogs('attackMode');
  return import('../features/attack-mode/attack-badge');
});
