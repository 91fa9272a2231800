import type { FeedGaps } from '@cordon/contract';
import { ATTACK_FEED } from '@cordon/plugin-kit/feeds';
import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { ChevronDown, ChevronUp, Siren } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { trafficOptions } from '../../domain/data/queries';
import { Callout } from '../../domain/form/callout';
import { useFeedGaps } from '../../domain/plugins/feed-gaps';
import { useGapParts } from '../../domain/plugins/gap-parts';
import { IconButton } from '../../ui/button';
import { useFormat } from '../../ui/format';
import { momentText } from '../../ui/moment-text';
import { textLinkClass } from '../../ui/text-link-class';
import AttackBadge, { useTimeLeft } from './attack-badge';
import EndAttack from './end-attack';
import { type AttackMode, attackModesOptions, holdingMode } from './queries';

/** Who has turned it on, or what it has turned itself on for. */
const messageOf = ({ started_by, usual_per_minute }: AttackMode) => {
  if (started_by !== '') return 'banner.by';
  return usual_per_minute === null ? 'banner.automaticNew' : 'banner.automatic';
};

/** What the checks of a domain, or of all, did in the last hour; its place is there before its numbers. */
function Checked({ routeId = '' }: { routeId: string | undefined }) {
  const t = useTranslations('attackMode.banner');
  const format = useFormat();
  const { data } = useQuery({ ...trafficOptions(routeId, '1h'), meta: { isSilent: true } });
  const said = (count: number | undefined) => (count === undefined ? '–' : format.compact(count));
  return t('checked', { challenged: said(data?.totals.challenged), passed: said(data?.totals.passed) });
}

/** Where it does nothing, and where to change that; on the page of a domain whose protection is paused that is said above. */
function Gaps({ gaps, isOnPage, className }: { gaps: FeedGaps; isOnPage?: boolean | undefined; className?: string }) {
  const t = useTranslations('attackMode');
  const parts = useGapParts();
  const isHere = isOnPage && gaps.domains[0]?.is_paused;
  return (
    <p className={clsx('text-ink', className)}>{isHere ? t('banner.paused') : t.rich('gaps', parts.rich(gaps))}</p>
  );
}

export interface AttackBannerProps {
  routeId?: string | undefined;
  /** It stands on the page of that domain. */
  isOnPage?: boolean | undefined;
}

interface BannerProps extends AttackBannerProps {
  mode: AttackMode;
  /** It says what the checks did: of two that hold, one does. */
  isCounted: boolean;
}

/** Where the mode holds, in one line, its rest behind a press: it stands above what every tab holds. */
function Banner({ mode, routeId, isOnPage, isCounted }: BannerProps) {
  const t = useTranslations('attackMode');
  const format = useFormat();
  const left = useTimeLeft(mode.ends_at);
  const [isOpen, setOpen] = useState(false);
  const detailsId = useId();
  const gaps = useFeedGaps(ATTACK_FEED, routeId);
  // Where it does nothing there is nothing to tell of visitors.
  const isChecking = gaps === undefined || routeId === undefined;
  const checked = isChecking && isCounted && <Checked routeId={routeId} />;
  return (
    <Callout
      tone="danger"
      icon={<Siren size={18} aria-hidden />}
      className={clsx('mb-4', !isOpen && !gaps && 'items-center!')}
    >
      <div className="flex items-center gap-2">
        <p className="min-w-0 font-semibold" role="status">
          {mode.route_id === null ? (
            <>
              <span className="phone:hidden">{t('banner.titleAll', { left })}</span>
              <span className="sm:hidden">{t('banner.shortAll', { left })}</span>
            </>
          ) : (
            t('banner.title', { left })
          )}
        </p>
        <p className="tabular min-w-0 flex-1 truncate text-ink">
          <span className="phone:hidden">{checked}</span>
        </p>
        <EndAttack mode={mode} isShort />
        <IconButton
          size="sm"
          label={t('banner.more')}
          aria-expanded={isOpen}
          aria-controls={detailsId}
          icon={isOpen ? <ChevronUp size={18} aria-hidden /> : <ChevronDown size={18} aria-hidden />}
          onClick={() => setOpen(!isOpen)}
        />
      </div>
      {gaps && <Gaps gaps={gaps} isOnPage={isOnPage} />}
      <div id={detailsId} hidden={!isOpen} className="text-ink">
        <p>{t('banner.until', { time: momentText(format, mode.ends_at) })}</p>
        {checked && <p className="tabular sm:hidden">{checked}</p>}
        {isChecking && <p>{t('banner.what')}</p>}
        <p className="wrap-anywhere">
          {t(messageOf(mode), {
            who: mode.started_by,
            time: momentText(format, mode.started_at),
            requests: mode.requests_per_minute ?? 0,
            usual: mode.usual_per_minute ?? 0,
          })}
        </p>
      </div>
    </Callout>
  );
}

/** On the dashboard, the domains that are in the mode by themselves, a line each. */
function OfDomain({ mode }: { mode: AttackMode }) {
  const gaps = useFeedGaps(ATTACK_FEED, mode.route_id ?? undefined);
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-1">
      <AttackBadge mode={mode} />
      <a href={`#/domain/list/${mode.route_id}`} className={`reach ${textLinkClass}`}>
        {mode.domain_name}
      </a>
      <EndAttack mode={mode} isNamed isShort />
      {gaps && <Gaps gaps={gaps} className="w-full" />}
    </div>
  );
}

/** Where visitors have to prove themselves, until when, and the way back. Of a domain, or of the account. */
export default function AttackBanner({ routeId, isOnPage }: AttackBannerProps) {
  const { data } = useQuery(attackModesOptions(routeId));
  return data?.map((mode) =>
    routeId === undefined && mode.route_id !== null ? (
      <OfDomain key={mode.route_id} mode={mode} />
    ) : (
      <Banner
        key={mode.route_id ?? ''}
        mode={mode}
        routeId={routeId}
        isOnPage={isOnPage}
        isCounted={mode === holdingMode(data, routeId)}
      />
    ),
  );
}
