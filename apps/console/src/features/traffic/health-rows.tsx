import type { AccountHealth } from '@cordon/contract';
import clsx from 'clsx';
import { useTranslations } from 'use-intl';
import { cureOf, curePlace } from '../../domain/health/cure';
import { useShortFinding } from '../../domain/health/health-words';
import { StatusBadge } from '../../ui/badge';
import { buttonClass } from '../../ui/button';
import { useFormat } from '../../ui/format';
import { useNow } from '../../ui/now';
import { textLinkClass } from '../../ui/text-link-class';

const MINUTE_MS = 60_000;
export type Judged = AccountHealth['worst'][number];
const TONES = { error: 'danger', warning: 'warning', off: 'neutral', ok: 'success' } as const;

/** The list of those that need fixing. */
export const ATTENTION = '#/domain/list?health=attention';

const isUnmet = ({ health: { findings } }: Judged): boolean => findings[0]?.finding === 'challenges_unmet';

/** For how long it has been so; of a pause that ends, how much is left. In whole minutes. */
export function useHowLong(): (finding: Judged['health']['findings'][number]) => string | undefined {
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
export function JudgedDomain({ domain, isUnknown, badgePx }: JudgedProps) {
  const isOnly = badgePx === undefined;
  const howLong = useHowLong();
  const t = useTranslations('health');
  const tTraffic = useTranslations('traffic.health');
  const short = useShortFinding();
  const [worst] = domain.health.findings;
  const page = `#/domain/list/${domain.route_id}`;
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-1.5">
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
      {worst && (
        <a href={curePlace(domain.route_id, worst)} className={clsx(buttonClass('secondary', 'sm'), 'ml-auto')}>
          {t(`cure.${cureOf(worst)}`)}
        </a>
      )}
    </li>
  );
}

interface JudgedGroupProps {
  /** Alike in what is wrong first. */
  domains: readonly Judged[];
  /** There are more than those that are known by name. */
  isMore: boolean;
  isUnknown: boolean;
  badgePx: number;
}

const NAMED = 3;

/** Domains with one cause: how many, for how long, some of their names, and the way to all of them. */
export function JudgedGroup({ domains, isMore, isUnknown, badgePx }: JudgedGroupProps) {
  const howLong = useHowLong();
  const format = useFormat();
  const t = useTranslations('traffic.health');
  const short = useShortFinding();
  const [first] = domains;
  const worst = first?.health.findings[0];
  if (!first || !worst) return null;
  const challenged = domains.reduce((sum, { health }) => sum + Number(health.findings[0]?.params.challenged ?? 0), 0);
  const names = domains.slice(0, NAMED).map((domain) => domain.domain_name_unicode);
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-1.5">
      <span className="shrink-0" style={{ minWidth: badgePx }}>
        <StatusBadge tone={isUnknown ? 'neutral' : TONES[first.health.state]}>{short(worst)}</StatusBadge>
      </span>
      <p className="min-w-0 flex-1 basis-64 wrap-anywhere phone:order-last phone:basis-full">
        <a href={ATTENTION} className="font-semibold text-ink no-underline hover:underline">
          {t('domains', { count: `${format.number(domains.length)}${isMore ? '+' : ''}` })}
        </a>{' '}
        <span className="text-sm text-muted">
          {[
            isUnmet(first) && t('unmet', { count: format.compact(challenged) }),
            howLong(worst),
            `${names.join(', ')}${domains.length > NAMED ? ' …' : ''}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </p>
      <a href={ATTENTION} className={clsx(buttonClass('secondary', 'sm'), 'ml-auto')}>
        {t('show')}
      </a>
    </li>
  );
}
