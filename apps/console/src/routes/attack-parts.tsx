import { useQuery } from '@tanstack/react-query';
import { needCatalogs } from '../app/intl-store';
import type { AttackBannerProps } from '../features/attack-mode/attack-banner';
import { attackModesOptions } from '../features/attack-mode/queries';
import { LastHeight } from '../ui/last-height';
import { lazyPart } from '../ui/lazy-part';
import { loadedPart } from '../ui/loaded-part';

export const AttackButton = lazyPart(async () => {
  await needCatalogs('attackMode');
  return import('../features/attack-mode/attack-button');
});
export const AttackBanner = loadedPart<AttackBannerProps>(async () => {
  await needCatalogs('attackMode');
  return import('../features/attack-mode/attack-banner');
});

/** The banner in a place as high as it was, until it is known whether an attack is on. */
export function PlacedAttackBanner(props: AttackBannerProps) {
  const { routeId } = props;
  const { isPending } = useQuery(attackModesOptions(routeId));
  return (
    <LastHeight name={`attack ${routeId ?? ''}`} isPending={isPending}>
      <AttackBanner {...props} />
    </LastHeight>
  );
}
