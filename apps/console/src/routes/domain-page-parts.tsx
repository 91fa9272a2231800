import { needCatalogs } from '../app/intl-store';
import { attackModesOptions } from '../features/attack-mode/queries';
import { HealthFindings } from '../features/domains/overview/health-card';
import type { DomainPageParts } from '../features/domains/page/domain-page-parts';
import { lazyPart } from '../ui/lazy-part';
import { AttackBanner, PlacedAttackBanner } from './attack-parts';
import { DomainTabContent } from './domain-tab-content';
import { useDomainActions } from './use-domain-actions';

const PauseDialog = lazyPart(async () => {
  await needCatalogs('pause');
  return import('../features/publishing/pause/pause-dialog');
});

/** The page of a domain: its tabs, its actions and its pause. */
export const domainPageParts: DomainPageParts = {
  useActions: useDomainActions,
  TabContent: DomainTabContent,
  PauseDialog,
  AttackBanner: PlacedAttackBanner,
  async readAttack(client, id) {
    const modes = await client.ensureQueryData(attackModesOptions(id));
    if (modes.length > 0) await AttackBanner.load();
  },
  loadFindings: HealthFindings.load,
  async loadPauseBanner() {
    await needCatalogs('pause');
    return (await import('../features/publishing/pause/pause-banner')).default;
  },
};
