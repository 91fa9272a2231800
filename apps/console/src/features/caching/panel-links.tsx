import type { Ref } from 'react';
import { useTranslations } from 'use-intl';
import { buttonClass } from '../../ui/button';
import { CACHING_PANELS, type CachingPanel } from './caching-panels';

const titles = {
  clear: 'title',
  try: 'tryUrl.title',
  development: 'developmentMode.title',
  prefetch: 'prefetch.title',
} as const satisfies Record<CachingPanel, string>;

interface PanelLinksProps {
  ref?: Ref<HTMLElement>;
  routeId: string;
  /** Where a URL can be tried. */
  isLive: boolean;
  onLead: (panel: CachingPanel) => void;
}

/** Leads to what stands far down on the tab. */
export function PanelLinks({ ref, routeId, isLive, onLead }: PanelLinksProps) {
  const t = useTranslations('caching');
  return (
    <nav ref={ref} aria-label={t('places.label')} className="flex flex-wrap gap-2">
      {CACHING_PANELS.filter((panel) => isLive || panel !== 'try').map((panel) => (
        <a
          key={panel}
          data-panel={panel}
          href={`#/domain/list/${routeId}?tab=caching&panel=${panel}`}
          className={buttonClass('secondary', 'sm', 'w-40')}
          onClick={(event) => {
            // With one of these keys it opens elsewhere.
            if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
            event.preventDefault();
            onLead(panel);
          }}
        >
          {t(titles[panel])}
        </a>
      ))}
    </nav>
  );
}
