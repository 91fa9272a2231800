import { CNAME_PROPAGATION_MINUTES, CNAME_PROPAGATION_SLOW_HOURS, type Route } from '@cordon/contract';
import { CircleCheck, RefreshCw, TriangleAlert } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { DNS_CARD_ID, DnsRecord, PointRecords } from '../../../domain/display/dns-record';
import { Callout } from '../../../domain/form/callout';
import { useStandingError } from '../../../domain/form/use-standing-error';
import { dnsFinding } from '../../../domain/health/dns-finding';
import { useShortFinding } from '../../../domain/health/health-words';
import { useErrorList } from '../../../domain/words/error-words';
import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { useFormat } from '../../../ui/format';
import { joinSentences } from '../../../ui/sentences';
import { useVerifyOwnership } from './use-verify-ownership';

const POLL_MS = 30_000;

/** Asks the API to look at DNS while the customer is here and waiting. */
function useWatchedDns(route: Route) {
  const verify = useVerifyOwnership(route.id);
  const { mutate } = verify;
  const isPending = route.ownership.state === 'pending';
  useEffect(() => {
    if (!isPending) return;
    mutate();
    const timer = window.setInterval(() => document.visibilityState === 'visible' && mutate(), POLL_MS);
    return () => window.clearInterval(timer);
  }, [isPending, mutate]);
  return verify;
}

/** The record of a name that was proved, to look up; in sight where it is gone. */
function SetRecord({ route }: { route: Route }) {
  const t = useTranslations('domain.dns');
  const { ownership } = route;
  const short = useShortFinding();
  const isDemo = ownership.method === 'demo';
  const finding = dnsFinding(route);
  return (
    <Card title={t('titleSet')} id={DNS_CARD_ID} tabIndex={-1}>
      <p className="flex items-start gap-2">
        {finding ? (
          <TriangleAlert size={18} className="mt-px shrink-0 text-warning" aria-hidden />
        ) : (
          <CircleCheck size={18} className="mt-px shrink-0 text-success" aria-hidden />
        )}
        <span className="min-w-0 wrap-anywhere">
          {finding ? short(finding) : t(isDemo ? 'verifiedDemo' : 'verified', { name: route.domain_name_unicode })}
        </span>
      </p>
      <details className="mt-2" open={finding !== undefined}>
        <summary className="reach text-sm text-primary-ink">{t(isDemo ? 'recordDemo' : 'keep')}</summary>
        <div className="mt-2">
          <PointRecords ownership={ownership} />
        </div>
      </details>
    </Card>
  );
}

/** The one DNS record to set, watched until the name points here. */
export function OwnershipCard({ route }: { route: Route }) {
  const t = useTranslations('domain.dns');
  const format = useFormat();
  const errorList = useErrorList();
  const verify = useWatchedDns(route);
  const error = useStandingError(verify.error, undefined);
  const { ownership } = route;
  const isPending = ownership.state === 'pending';
  const needsTxt = ownership.record.type !== 'CNAME' || ownership.taken_elsewhere;
  const record = <PointRecords ownership={ownership} />;
  const txt = <DnsRecord type="TXT" name={ownership.txt.name} values={[ownership.txt.value]} label={t('txtRecord')} />;
  if (!isPending) return <SetRecord route={route} />;
  return (
    <Card
      id={DNS_CARD_ID}
      tabIndex={-1}
      title={t('title')}
      description={t(ownership.record.type === 'CNAME' ? 'body' : 'bodyApex', { name: route.domain_name_unicode })}
    >
      <div className="flex flex-col gap-4">
        {ownership.taken_elsewhere && <Callout tone="warning">{t('taken')}</Callout>}
        {record}
        {needsTxt && (
          <div>
            <p className="mb-2 text-muted">{t(ownership.taken_elsewhere ? 'txtTaken' : 'txtApex')}</p>
            {txt}
          </div>
        )}
        {!needsTxt && (
          <details>
            <summary className="reach text-sm text-primary-ink">{t('txtOther')}</summary>
            <p className="my-2 text-sm text-muted">{t('txtOtherBody')}</p>
            {txt}
          </details>
        )}
        <p className="text-muted">
          {t('propagation', {
            minimum: CNAME_PROPAGATION_MINUTES.minimum,
            maximum: CNAME_PROPAGATION_MINUTES.maximum,
            hours: CNAME_PROPAGATION_SLOW_HOURS,
          })}
        </p>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <Button
            size="sm"
            icon={<RefreshCw size={16} aria-hidden />}
            loading={verify.isPending}
            onClick={() => verify.mutate()}
          >
            {t('check')}
          </Button>
          <p className="min-w-0 text-sm text-muted wrap-anywhere" aria-live="polite">
            {error
              ? joinSentences(errorList(error))
              : ownership.checked_at === null
                ? t('notChecked')
                : ownership.seen === null
                  ? t('unanswered', { ago: format.relative(ownership.checked_at) })
                  : ownership.seen.length === 0
                    ? t('seenNothing', { ago: format.relative(ownership.checked_at) })
                    : t('seen', { ago: format.relative(ownership.checked_at), values: format.list(ownership.seen) })}
          </p>
        </div>
      </div>
    </Card>
  );
}
