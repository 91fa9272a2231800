import {
  FREE_WEBSOCKET_SECONDS,
  FREE_WEBSOCKETS_PER_DOMAIN,
  type Route,
  WEBSOCKET_SILENCE_SECONDS,
} from '@cordon/contract';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useSubscriptions } from '../../../app/subscriptions';
import { useGroupName, useGroups } from '../../../domain/data/group-queries';
import { EffectMark } from '../../../domain/display/effect-mark';
import { FoldingCard } from '../../../domain/display/folding-card';
import { isServed } from '../../../domain/model/domain-state';
import { Button, buttonClass } from '../../../ui/button';
import { Remarks } from '../page/remarks';
import { isProtected } from './is-protected';

function Row({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="flex min-h-11 items-center gap-3 px-4 py-1.5">
      <dt className="w-24 shrink-0 text-sm text-muted">{term}</dt>
      <dd className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-3 gap-y-1">{children}</dd>
    </div>
  );
}

/** How long a WebSocket may stay open, and how many may be: a limit of the plan, no setting. */
function Websockets({ route }: { route: Route }) {
  const t = useTranslations('overview.atOnce');
  const { subscriptions } = useSubscriptions();
  const plan = subscriptions?.find(({ cname }) => cname === route.subscription_cname);
  if (!plan) return null;
  return (
    <span className="text-sm text-muted">
      {plan.features.full_websocket
        ? t('websockets', { minutes: WEBSOCKET_SILENCE_SECONDS / 60 })
        : t('websocketsFree', { connections: FREE_WEBSOCKETS_PER_DOMAIN, minutes: FREE_WEBSOCKET_SECONDS / 60 })}
    </span>
  );
}

/** Whether there is protection to pause; that no visitor is served is said where it is ended. */
const canBePaused = (route: Route): boolean => isServed(route) && isProtected(route.live);

interface AtOnceProps {
  route: Route;
  ipv6: ReactNode;
  onPause: () => void;
  /** Undefined while it is under way. */
  onResume: (() => void) | undefined;
}

/** What takes effect without a deploy, apart from what belongs to the draft. */
export default function AtOnce({ route, ipv6, onPause, onResume }: AtOnceProps) {
  const t = useTranslations('overview.atOnce');
  const nameOf = useGroupName();
  const groups = useGroups();
  // Without one of its own a domain is in the default group.
  const group = groups?.find(({ id, default_group: isDefault }) =>
    route.group_id === null ? isDefault : id === route.group_id,
  );
  const aliases = route.shadow_domains.length;
  return (
    <FoldingCard title={t('title')} aside={<EffectMark effect="at_once" />}>
      <dl className="divide-y divide-line border-t border-line">
        {canBePaused(route) && (
          <Row term={t('protection')}>
            <span>{t(route.paused ? 'paused' : 'on')}</span>
            {route.paused ? (
              <Button size="sm" loading={!onResume} onClick={onResume}>
                {t('resume')}
              </Button>
            ) : (
              <Button size="sm" onClick={onPause}>
                {t('pause')}
              </Button>
            )}
          </Row>
        )}
        <Row term={t('aliases')}>
          <span className="tabular min-w-0 truncate" title={route.shadow_domains.join('\n')}>
            {aliases === 0 ? t('none') : aliases === 1 ? route.shadow_domains[0] : aliases}
          </span>
          <a href={`#/domain/list/${route.id}?tab=shadow-domains`} className={buttonClass('secondary', 'sm')}>
            {t(aliases === 0 ? 'add' : 'open')}
          </a>
        </Row>
        <Row term="IPv6">{ipv6}</Row>
        <Row term="WebSocket">
          <Websockets route={route} />
        </Row>
        <Row term={t('group')}>{group && nameOf(group)}</Row>
        <Row term={t('remarks')}>
          <Remarks route={route} />
        </Row>
      </dl>
    </FoldingCard>
  );
}
