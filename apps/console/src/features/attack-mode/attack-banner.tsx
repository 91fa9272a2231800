import { useQuery } from '@tanstack/react-query';
import { Siren } from 'lucide-react';
import { useTranslations } from 'use-intl';
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

function Banner({ mode }: { mode: AttackMode }) {
  const t = useTranslations('attackMode');
  const format = useFormat();
  const end = useEndAttackMode(mode.route_id);
  const left = useTimeLeft(mode.ends_at);
  const isAccount = mode.route_id === null;
  return (
    <Callout tone="warning" icon={<Siren size={18} aria-hidden />} className="mb-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="font-semibold" role="status">
          {t(isAccount ? 'banner.titleAll' : 'banner.title', { time: momentText(format, mode.ends_at), left })}
        </p>
        <p className="text-sm wrap-anywhere text-muted">
          {t(messageOf(mode), {
            who: mode.started_by,
            time: momentText(format, mode.started_at),
            requests: mode.requests_per_minute ?? 0,
            usual: mode.usual_per_minute ?? 0,
          })}
        </p>
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
      <Banner key={mode.route_id ?? ''} mode={mode} />
    ),
  );
}
