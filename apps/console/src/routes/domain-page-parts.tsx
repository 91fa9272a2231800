import { useQuery } from '@tanstack/react-query';
import { needCatalogs } from '../app/intl-store';
import { isServed } from '../domain/model/domain-state';
import { attackModesOptions, holdingMode } from '../features/attack-mode/queries';
import { HealthFindings } from '../features/domains/overview/health-card';
import type { DomainPageParts } from '../features/domains/page/domain-page-parts';
import { lazyPart } from '../ui/lazy-part';
import { AttackBanner, PlacedAttackBanner } from './attack-parts';
import { DevelopmentPlace } from './domain-overview';
import { DomainTabContent } from './domain-tab-content';
import { isWaiting, PendingChanges } from './pending-place';
import { useDomainActions } from './use-domain-actions';

const PauseDialog = lazyPart(async () => {
  await needCatalogs('pause');
  return import('../features/publishing/pause/pause-dialog');
});

/** The page of a domain: its tabs, its actions and its pause. */
export const domainPageParts: DomainPageParts = {
  useActions: useDomainActions,
  TabContent: DomainTabContent,
  useStarted(id, route) {
    const isAsked = route !== undefined && isServed(route);
    const mode = holdingMode(useQuery({ ...attackModesOptions(id), enabled: isAsked }).data, id);
    if (!mode || route?.paused) return false;
    return mode.route_id === null ? 'account' : 'domain';
  },
  PauseDialog,
  AttackBanner: (props) => <PlacedAttackBanner {...props} isOnPage />,
  async readAttack(client, id) {
    const modes = await client.ensureQueryData(attackModesOptions(id));
    if (modes.length > 0) await AttackBanner.load();
  },
  loadAbove: (route) =>
    Promise.allSettled([
      route.health.findings.length > 0 && HealthFindings.load(),
      isWaiting(route) && PendingChanges.load(),
      route.development_ends_at !== null && DevelopmentPlace.load(),
    ]),
  async loadPauseBanner() {
    await needCatalogs('pause');
    return (await import('../features/publishing/pause/pause-banner')).default;
  },
};
