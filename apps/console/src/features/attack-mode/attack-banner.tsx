import { useQuery } from '@tanstack/react-query';
import { Siren } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { trafficOptions } from '../../domain/data/queries';
import { Callout } from '../../domain/form/callout';
import { Button } from '../../ui/button';
import { useFormat } from '../../ui/format';
import { momentText } from '../../ui/moment-text';
import { textLinkClass } from '../../ui/text-link-class';
import AttackBadge, { useTimeLeft } from './attack-badge';
import { type AttackMode, attackModesOptions, useEndAttackMode } from './queries';

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

function Banner({ mode, routeId }: { mode: AttackMode; routeId: string | undefined }) {
  const t = useTranslations('attackMode');
  const format = useFormat();
  const end = useEndAttackMode(mode.route_id);
  const left = useTimeLeft(mode.ends_at);
  const isAccount = mode.route_id === null;
  return (
    <Callout tone="danger" icon={<Siren size={18} aria-hidden />} className="mb-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          <p className="font-semibold" role="status">
            {t(isAccount ? 'banner.titleAll' : 'banner.title', { time: momentText(format, mode.ends_at), left })}
          </p>
          <p className="text-sm text-ink">{t('banner.what')}</p>
          <div className="flex flex-wrap gap-x-4 text-sm text-muted">
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
        <Button size="sm" className="ml-auto" loading={end.isPending} onClick={() => end.mutate()}>
          {t(isAccount ? 'endAll' : 'end')}
        </Button>
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
