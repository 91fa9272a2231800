import type { AccountHealth } from '@cordon/contract';
import clsx from 'clsx';
import { CircleCheck } from 'lucide-react';
import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import { badgeTextPx, useShortFinding } from '../../domain/health/health-words';
import { StatusBadge } from '../../ui/badge';
import { Card } from '../../ui/card';
import { useFormat } from '../../ui/format';
import { findLostFocus } from '../../ui/lost-focus';
import { Link } from '../../ui/text-link';
import { textLinkClass } from '../../ui/text-link-class';
import { ATTENTION, JudgedDomain, JudgedGroup } from './health-rows';
import { bySameCause } from './same-cause';
import { useSteadyRows } from './steady-rows';

const SHOWN = 5;
/** Of a badge beside its text. */
const BADGE_PX = 36;

interface HealthCardProps {
  health: AccountHealth;
  /** It could not be read again since, in milliseconds. */
  unknownSince: number | undefined;
}

/** The domains behind how many are well: those that are not, else all. */
const listOf = ({ error, warning, off }: AccountHealth['counts']): string =>
  error + warning > 0 ? ATTENTION : `#/domain/list${off > 0 ? '?health=off' : ''}`;

/** How many domains are well, and those that need fixing, worst first. */
export default function HealthCard({ health: { counts, worst }, unknownSince }: HealthCardProps) {
  const t = useTranslations('traffic.health');
  const format = useFormat();
  const isUnknown = unknownSince !== undefined;
  const short = useShortFinding();
  const list = useRef<HTMLUListElement>(null);
  const { rows: shown, hidden, hasRoom, showAll } = useSteadyRows(bySameCause(worst).slice(0, SHOWN), list);
  const badgePx = Math.max(
    ...shown
      .flat()
      .map(({ health: { findings } }) => BADGE_PX + badgeTextPx(findings[0] ? short(findings[0]) : t('unwell'))),
  );
  const total = counts.ok + counts.warning + counts.error + counts.off;
  const unwell = counts.error + counts.warning;
  const text = unwell === 0 && counts.off === 0 ? t('allWell', { total }) : t('well', { well: counts.ok, total });
  return (
    <Card flush aria-label={t('label')}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3">
        {isUnknown ? (
          <StatusBadge tone="neutral">{t('unknown')}</StatusBadge>
        ) : unwell > 0 ? (
          <a href={ATTENTION} className="reach no-underline">
            <StatusBadge tone={counts.error > 0 ? 'danger' : 'warning'}>
              {t('needFixing', { count: unwell })}
            </StatusBadge>
          </a>
        ) : (
          counts.ok > 0 && <CircleCheck size={18} aria-hidden className="shrink-0 text-success" />
        )}
        {/* Below a badge on a phone, whatever stands beside that. */}
        <p
          className={clsx(
            'min-w-0 flex-1 basis-64 font-semibold',
            (isUnknown || unwell > 0) && 'phone:order-last phone:basis-full',
          )}
        >
          <a href={listOf(counts)} className="text-ink no-underline hover:underline">
            {isUnknown ? t('lastKnown', { time: format.time(unknownSince), text }) : text}
          </a>
        </p>
        {counts.off > 0 && (
          <Link to="/domain/list" search={{ health: 'off' } as never} className="reach">
            {t('off', { count: counts.off })}
          </Link>
        )}
        {hidden.length > 0 ? (
          <button
            type="button"
            className={`reach ${textLinkClass}`}
            onClick={() => {
              showAll();
              requestAnimationFrame(findLostFocus);
            }}
          >
            {t('more', { count: hidden.flat().length })}
          </button>
        ) : (
          unwell > shown.flat().length && (
            <Link to="/domain/list" search={{ health: 'attention' } as never} className="reach">
              {t('all', { count: unwell })}
            </Link>
          )
        )}
      </div>
      {/* Stays when all of it goes: so does its place. */}
      {hasRoom && (
        <ul ref={list} className="divide-y divide-line border-t border-line">
          {shown.map((domains) => {
            const [first] = domains;
            const row = { isUnknown, badgePx };
            if (!first) return null;
            return domains.length === 1 ? (
              <JudgedDomain key={first.route_id} domain={first} {...row} />
            ) : (
              <JudgedGroup key={first.route_id} domains={domains} isMore={unwell > worst.length} {...row} />
            );
          })}
        </ul>
      )}
    </Card>
  );
}
