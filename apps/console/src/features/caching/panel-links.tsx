import type { Ref } from 'react';
import { useTranslations } from 'use-intl';
import { textLinkClass } from '../../ui/text-link-class';
import { CACHING_PANELS, type CachingPanel } from './caching-panels';

const titles = {
  costly: 'cacheFigures.costly.title',
  try: 'tryUrl.title',
  development: 'developmentMode.title',
  clear: 'title',
  prefetch: 'prefetch.title',
} as const satisfies Record<CachingPanel, string>;

const OF_LIVE: readonly CachingPanel[] = ['costly', 'try'];

interface PanelLinksProps {
  ref?: Ref<HTMLElement>;
  routeId: string;
  /** Where it costs an origin, and a URL can be tried. */
  isLive: boolean;
  onLead: (panel: CachingPanel) => void;
}

/** Leads to what stands far down on the tab. */
export function PanelLinks({ ref, routeId, isLive, onLead }: PanelLinksProps) {
  const t = useTranslations('caching');
  return (
    <nav ref={ref} aria-label={t('places.label')} className="flex flex-wrap items-center gap-x-4 text-sm">
      <span aria-hidden className="text-muted">
        {t('places.label')}
      </span>
      {CACHING_PANELS.filter((panel) => isLive || !OF_LIVE.includes(panel)).map((panel) => (
        <a
          key={panel}
          data-panel={panel}
          href={`#/domain/list/${routeId}?tab=caching&panel=${panel}`}
          className={`${textLinkClass} inline-flex min-h-8 items-center touch:min-h-10`}
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
