import type { AccountHealth } from '@cordon/contract';
import clsx from 'clsx';
import { useTranslations } from 'use-intl';
import { badgeTextPx } from '../../domain/health/badge-width';
import { CURE_TABS, cureOf } from '../../domain/health/cure';
import { useShortFinding } from '../../domain/health/health-words';
import { StatusBadge } from '../../ui/badge';
import { buttonClass } from '../../ui/button';
import { Card } from '../../ui/card';
import { useFormat } from '../../ui/format';
import { useNow } from '../../ui/now';
import { Link } from '../../ui/text-link';
import { textLinkClass } from '../../ui/text-link-class';

const SHOWN = 5;
const MINUTE_MS = 60_000;
/** Of a badge beside its text. */
const BADGE_PX = 36;
type Judged = AccountHealth['worst'][number];
const TONES = { error: 'danger', warning: 'warning', off: 'neutral', ok: 'success' } as const;

/** For how long it has been so; of a pause that ends, how much is left. In whole minutes. */
function useHowLong(): (finding: Judged['health']['findings'][number]) => string | undefined {
  const t = useTranslations('traffic.health');
  const format = useFormat();
  const now = useNow();
  const minutes = (milliseconds: number) =>
    format.duration(Math.max(1, Math.floor(milliseconds / MINUTE_MS)) * MINUTE_MS);
  return ({ finding, params, since }) => {
    if (finding === 'paused_until' && typeof params.until_at === 'string')
      return t('left', { time: minutes(Date.parse(params.until_at) - now) });
    return since === null ? undefined : t('since', { time: minutes(now - Date.parse(since)) });
  };
}

interface JudgedProps {
  domain: Judged;
  isUnknown: boolean;
  /** Of the badges that stand below each other: the names begin at one line. */
  badgePx?: number;
}

/** How a domain is: what is wrong with it, for how long, and the way to the cure of the worst. */
function JudgedDomain({ domain, isUnknown, badgePx }: JudgedProps) {
  const isOnly = badgePx === undefined;
  const howLong = useHowLong();
  const t = useTranslations('health');
  const tTraffic = useTranslations('traffic.health');
  const short = useShortFinding();
  const [worst] = domain.health.findings;
  const cure = worst && cureOf(worst);
  const tab = cure && (CURE_TABS as Partial<Record<typeof cure, string | undefined>>)[cure];
  const page = `#/domain/list/${domain.route_id}`;
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-1.5 sm:px-5">
      <span className="shrink-0" style={{ minWidth: badgePx }}>
        <StatusBadge tone={isUnknown ? 'neutral' : TONES[domain.health.state]}>
          {worst ? short(worst) : domain.health.state === 'ok' ? t('healthy') : tTraffic('unwell')}
        </StatusBadge>
      </span>
      <p className={clsx('min-w-0 flex-1 wrap-anywhere', !isOnly && 'basis-64 phone:order-last phone:basis-full')}>
        {!isOnly && (
          <>
            <a href={page} className="font-semibold text-ink no-underline hover:underline">
              {domain.domain_name_unicode}
            </a>{' '}
          </>
        )}
        <span className="text-sm text-muted">
          {[worst && howLong(worst), ...domain.health.findings.slice(1).map(short)].filter(Boolean).join(' · ')}
        </span>
      </p>
      {isOnly && (
        <a href={page} className={`reach ${textLinkClass}`}>
          {tTraffic('open')}
        </a>
      )}
      {cure && (
        <a href={tab ? `${page}?tab=${tab}` : page} className={clsx(buttonClass('secondary', 'sm'), 'ml-auto')}>
          {t(`cure.${cure}`)}
        </a>
      )}
    </li>
  );
}

/** How the one domain is that the numbers below are of; its name stands in the filter. */
export function DomainHealthCard({ domain, isUnknown }: { domain: Judged; isUnknown: boolean }) {
  const t = useTranslations('traffic.health');
  return (
    <Card flush aria-label={t('labelOne', { name: domain.domain_name_unicode })}>
      <ul>
        <JudgedDomain domain={domain} isUnknown={isUnknown} />
      </ul>
    </Card>
  );
}

interface HealthCardProps {
  health: AccountHealth;
  /** It could not be read again since, in milliseconds. */
  unknownSince: number | undefined;
}

/** The domains behind how many are well: those that are not, else all. */
const listOf = ({ error, warning, off }: AccountHealth['counts']): string =>
  `#/domain/list${error + warning > 0 ? '?health=attention' : off > 0 ? '?health=off' : ''}`;

/** How many domains are well, and those that need fixing, worst first. */
export function HealthCard({ health: { counts, worst }, unknownSince }: HealthCardProps) {
  const t = useTranslations('traffic.health');
  const format = useFormat();
  const isUnknown = unknownSince !== undefined;
  const tHealth = useTranslations('health');
  const short = useShortFinding();
  const shown = worst.slice(0, SHOWN);
  const badgePx = Math.max(
    ...shown.map(({ health: { findings } }) => BADGE_PX + badgeTextPx(findings[0] ? short(findings[0]) : t('unwell'))),
  );
  const total = counts.ok + counts.warning + counts.error + counts.off;
  const unwell = counts.error + counts.warning;
  const text = unwell === 0 && counts.off === 0 ? t('allWell', { total }) : t('well', { well: counts.ok, total });
  return (
    <Card flush aria-label={t('label')}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3 sm:px-5">
        {isUnknown ? (
          <StatusBadge tone="neutral">{t('unknown')}</StatusBadge>
        ) : unwell > 0 ? (
          <a href="#/domain/list?health=attention" className="reach no-underline">
            <StatusBadge tone={counts.error > 0 ? 'danger' : 'warning'}>
              {t('needFixing', { count: unwell })}
            </StatusBadge>
          </a>
        ) : (
          counts.ok > 0 && <StatusBadge tone="success">{tHealth('healthy')}</StatusBadge>
        )}
        <p className="min-w-0 flex-1 basis-64 font-semibold">
          <a href={listOf(counts)} className="text-ink no-underline hover:underline">
            {isUnknown ? t('lastKnown', { time: format.time(unknownSince), text }) : text}
          </a>
        </p>
        {counts.off > 0 && (
          <Link to="/domain/list" search={{ health: 'off' } as never} className="reach">
            {t('off', { count: counts.off })}
          </Link>
        )}
        {unwell > SHOWN && (
          <Link to="/domain/list" search={{ health: 'attention' } as never} className="reach">
            {t('all', { count: unwell })}
          </Link>
        )}
      </div>
      {worst.length > 0 && (
        <ul className="divide-y divide-line border-t border-line">
          {shown.map((domain) => (
            <JudgedDomain key={domain.route_id} domain={domain} isUnknown={isUnknown} badgePx={badgePx} />
          ))}
        </ul>
      )}
    </Card>
  );
}
