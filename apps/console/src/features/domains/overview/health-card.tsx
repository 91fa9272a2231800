import type { Route } from '@cordon/contract';
import { ShieldOff } from 'lucide-react';
import { Suspense, useContext } from 'react';
import { useTranslations } from 'use-intl';
import { needCatalogs } from '../../../app/intl-store';
import { isFirstLook } from '../../../domain/health/first-look';
import { HealthSummary } from '../../../domain/health/health-summary';
import type { DialogAction } from '../../../domain/model/dialog-action';
import { isOperationRunning, isServed } from '../../../domain/model/domain-state';
import { StartedContext } from '../../../domain/model/started';
import { buttonClass } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { useFormat } from '../../../ui/format';
import { loadedPart } from '../../../ui/loaded-part';
import { useNow } from '../../../ui/now';
import { SuspensionReason } from '../page/suspension';
import { useNextStep } from './first-steps';
import { isProtected } from './is-protected';

/** Loaded with the domain where it has any: they are as high as their sentences. */
export const HealthFindings = loadedPart(async () => {
  await needCatalogs('diagnosis');
  return import('./health-findings');
});

/** How the domain is: what is not well, worst first, each with its cure. */
export function HealthCard({ route, onAsk }: { route: Route; onAsk: (action: DialogAction) => void }) {
  const t = useTranslations('overview.health');
  const format = useFormat();
  const now = useNow();
  const { operation, suspension } = route;
  // The banner above the tabs tells of a pause, and ends it.
  const health = { ...route.health, findings: route.health.findings.filter(({ advice }) => advice !== 'end_pause') };
  const isStarted = useContext(StartedContext);
  // The steps above say so, and lead there.
  const isLedTo = useNextStep(route) !== undefined;
  const isUnprotected =
    !isLedTo &&
    !route.paused &&
    isServed(route) &&
    route.live?.traffic_action === 'upstream' &&
    !isStarted &&
    !isProtected(route.live);
  const protect = (
    <a href={`#/domain/list/${route.id}?tab=protection`} className={buttonClass('secondary', 'sm')}>
      {t('protect')}
    </a>
  );
  const isDeploying = isOperationRunning(route) && operation?.action === 'deploy';
  const isWell = health.state === 'ok';
  // It has the place of what the first look will say.
  const isLooking = isFirstLook(route);
  // In one sentence with what else there is to say.
  const isWellUnprotected = isUnprotected && isWell && !isLooking;
  const checked = health.looked_at !== null && (
    <span className="text-sm text-muted" title={format.dateTime(health.looked_at)}>
      {t(route.ownership.method === 'demo' ? 'checkedOrigin' : 'checked', {
        time: format.relative(health.looked_at, now),
      })}
    </span>
  );
  const isToldAbove = health.findings.length === 0 && !(isWell && checked) && !isLooking;
  // Of what is not served the page's header says all there is to say; of a pause alone its banner does.
  if (isToldAbove && !isUnprotected && !isDeploying && !suspension) return null;
  return (
    <Card flush aria-label={t('label')}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3">
        <HealthSummary health={health} title={isWellUnprotected ? t('wellUnprotected') : undefined}>
          {isDeploying ? t('deploying') : isLooking ? t('looking') : undefined}
        </HealthSummary>
        {checked}
        {isWellUnprotected
          ? protect
          : isWell && (
              <a href={`#/domain/list/${route.id}?tab=diagnosis`} className={buttonClass('secondary', 'sm')}>
                {t('recheck')}
              </a>
            )}
      </div>
      {health.findings.length > 0 && (
        <Suspense>
          <HealthFindings route={{ ...route, health }} onAsk={onAsk} />
        </Suspense>
      )}
      {isUnprotected && !isWell && (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-4 py-2 text-muted">
          <ShieldOff size={18} aria-hidden className="shrink-0" />
          <span className="min-w-0 flex-1 basis-40">{t('unprotected')}</span>
          {protect}
        </p>
      )}
      {suspension && (
        <div className="border-t border-line px-4 py-3 text-muted">
          <p>{t(`suspendedSince.${suspension.scope}`, { time: format.dateTime(suspension.since) })}</p>
          <SuspensionReason suspension={suspension} />
        </div>
      )}
    </Card>
  );
}
