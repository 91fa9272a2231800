import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { ChevronDown, ChevronUp, Siren } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { trafficOptions } from '../../domain/data/queries';
import { Callout } from '../../domain/form/callout';
import { IconButton } from '../../ui/button';
import { useFormat } from '../../ui/format';
import { momentText } from '../../ui/moment-text';
import { textLinkClass } from '../../ui/text-link-class';
import AttackBadge, { useTimeLeft } from './attack-badge';
import EndAttack from './end-attack';
import { type AttackMode, attackModesOptions } from './queries';

/** Who has turned it on, or what it has turned itself on for. */
const messageOf = ({ started_by, usual_per_minute }: AttackMode) => {
  if (started_by !== '') return 'banner.by';
  return usual_per_minute === null ? 'banner.automaticNew' : 'banner.automatic';
};

/** What the checks of a domain did in the last hour, in a line that is there before its numbers. */
function Checked({ routeId }: { routeId: string }) {
  const t = useTranslations('attackMode.banner');
  const format = useFormat();
  const { data } = useQuery({ ...trafficOptions(routeId, '1h'), meta: { isSilent: true } });
  const said = (count: number | undefined) => (count === undefined ? '–' : format.compact(count));
  return (
    <p className="tabular text-ink">
      {t('checked', { challenged: said(data?.totals.challenged), passed: said(data?.totals.passed) })}
    </p>
  );
}

/** Where the mode holds; on a phone in one line, its rest behind a press: it stands above every tab. */
function Banner({ mode, routeId }: { mode: AttackMode; routeId: string | undefined }) {
  const t = useTranslations('attackMode');
  const format = useFormat();
  const left = useTimeLeft(mode.ends_at);
  const isAccount = mode.route_id === null;
  const [isOpen, setOpen] = useState(false);
  const detailsId = useId();
  const title = t(isAccount ? 'banner.titleAll' : 'banner.title', { time: momentText(format, mode.ends_at), left });
  return (
    <Callout
      tone="danger"
      icon={<Siren size={18} aria-hidden />}
      className={clsx('mb-4', !isOpen && 'phone:items-center')}
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 phone:gap-x-1">
        <p className="min-w-0 flex-1 font-semibold" role="status">
          <span className="phone:hidden">{title}</span>
          <span className="sm:hidden">{t(isAccount ? 'banner.shortAll' : 'banner.short', { left })}</span>
        </p>
        <EndAttack routeId={mode.route_id} isShort />
        <IconButton
          size="sm"
          label={t('banner.more')}
          aria-expanded={isOpen}
          aria-controls={detailsId}
          icon={isOpen ? <ChevronUp size={18} aria-hidden /> : <ChevronDown size={18} aria-hidden />}
          className="sm:hidden!"
          onClick={() => setOpen(!isOpen)}
        />
        <div id={detailsId} className={clsx('min-w-0 basis-full text-sm', !isOpen && 'phone:hidden')}>
          <p className="text-ink sm:hidden">{t('banner.until', { time: momentText(format, mode.ends_at) })}</p>
          <p className="text-ink">{t('banner.what')}</p>
          <div className="flex flex-wrap gap-x-4 text-muted">
            {routeId !== undefined && <Checked routeId={routeId} />}
            <p className="wrap-anywhere">
              {t(messageOf(mode), {
                who: mode.started_by,
                time: momentText(format, mode.started_at),
                requests: mode.requests_per_minute ?? 0,
                usual: mode.usual_per_minute ?? 0,
              })}
            </p>
          </div>
        </div>
      </div>
    </Callout>
  );
}

/** On the dashboard, the domains that are in the mode by themselves, a line each. */
function OfDomain({ mode }: { mode: AttackMode }) {
  return (
    <p className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-1">
      <AttackBadge mode={mode} />
      <a href={`#/domain/list/${mode.route_id}`} className={`reach ${textLinkClass}`}>
        {mode.domain_name}
      </a>
      <EndAttack routeId={mode.route_id} name={mode.domain_name ?? ''} isShort />
    </p>
  );
}

/** Where visitors have to prove themselves, until when, and the way back. Of a domain, or of the account. */
export default function AttackBanner({ routeId }: { routeId?: string | undefined }) {
  const { data } = useQuery(attackModesOptions(routeId));
  return data?.map((mode) =>
    routeId === undefined && mode.route_id !== null ? (
      <OfDomain key={mode.route_id} mode={mode} />
    ) : (
      <Banner key={mode.route_id ?? ''} mode={mode} routeId={routeId} />
    ),
  );
}
