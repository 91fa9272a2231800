import type { Route } from '@cordon/contract';
import clsx from 'clsx';
import { useTranslations } from 'use-intl';
import { requestTarget } from '../../../domain/traffic/request-target';
import { Badge } from '../../../ui/badge';
import { Card } from '../../../ui/card';
import { useFormat } from '../../../ui/format';
import { lazyPart } from '../../../ui/lazy-part';
import { AnswerSign } from './answer-sign';
import { endingOf, type LoggedRequest } from './trace-values';
import { Verdict } from './verdict';

const Exceptions = lazyPart(() => import('./exceptions'));

interface WhatHappenedProps {
  logged: LoggedRequest;
  route: Route;
  /** A ban keeps its client out by now. */
  isBanned?: boolean;
  onDeploy: () => void;
  /** Something was changed that is live at once. */
  onInstant: () => void;
}

/** What the visitor of a logged request got: who decided it, why, and how it could pass; whole at once, so that nothing moves. */
export function WhatHappened({ logged, route, isBanned, onDeploy, onInstant }: WhatHappenedProps) {
  const t = useTranslations('diagnosis.trace');
  const format = useFormat();
  const tTest = useTranslations('diagnosis.testAttack');
  const { action, status, is_test: isTest } = logged;
  const kind = action === 'block' || action === 'challenge' || action === 'redirect' ? action : 'status';
  const isFailure = kind === 'block' || (kind === 'status' && status >= 400);
  const isReached = isTest && kind === 'status';
  const tone =
    kind === 'redirect' || kind === 'challenge' || isReached
      ? 'text-warning'
      : isFailure
        ? 'text-danger'
        : 'text-success';
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-2">
        {isTest && <Badge tone="primary">{tTest('title')}</Badge>}
        <h2 className="text-sm text-muted">
          {t('then.at', { time: format.dateTime(logged.time), status, version: logged.version })}
        </h2>
      </div>
      <div className={clsx('flex items-start gap-2 text-lg font-semibold wrap-anywhere', tone)} data-happened={kind}>
        <AnswerSign kind={endingOf(logged)} className="mt-1" />
        {kind === 'status' ? (
          isReached ? (
            tTest('outcome.reached')
          ) : (
            t('then.status', { status })
          )
        ) : (
          <Verdict verdict={{ ...logged, kind }} name={logged.domain_name} routeId={route.id} />
        )}
      </div>
      <p className="mt-1 text-sm wrap-anywhere text-muted">
        <code className="font-mono text-ink">
          {logged.method} {requestTarget(logged)}
        </code>
        {' · '}
        <code className="font-mono">{logged.client_address}</code>
        {logged.country !== '' && ` · ${format.country(logged.country)}`}
      </p>
      {isTest && <p className="mt-1 text-sm text-muted">{tTest('notAsked')}</p>}
      {!isTest && (kind === 'block' || kind === 'challenge') && logged.plugin !== '' && (
        <Exceptions route={route} logged={logged} isBanned={isBanned} onDeploy={onDeploy} onInstant={onInstant} />
      )}
    </Card>
  );
}
