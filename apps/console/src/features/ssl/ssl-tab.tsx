import type { Route, SslConfig } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../app/failure';
import { EffectMark } from '../../domain/display/effect-mark';
import { receiptText } from '../../domain/words/receipt-text';
import { Card } from '../../ui/card';
import { useFormat } from '../../ui/format';
import { ErrorState, Skeleton } from '../../ui/states';
import { CertificateCard } from './certificate-card';
import { ForceHttpsRow } from './force-https-row';
import { HstsRow } from './hsts-row';
import { sslOptions } from './queries';

/** On which nodes the newest change is, and how fast it was there. */
function ChangeLine({ change }: { change: NonNullable<SslConfig['change']> }) {
  const t = useTranslations('domain.receipt.summary');
  const format = useFormat();
  return (
    <p role="status" className="tabular border-t border-line px-4 py-2.5 text-sm text-muted">
      {receiptText(change, t, format)}
    </p>
  );
}

/** How visitors of a domain are led to HTTPS, and whether they are shown a certificate for it. */
export default function SslTab({ route }: { route: Route }) {
  const t = useTranslations('ssl');
  const { data, error, isFetching, refetch } = useQuery(sslOptions(route.id));
  // Nothing of it can be changed then (DOMAIN_STATE_FORBIDS).
  const isLocked = route.suspension !== null || route.status === 'deleting';
  return (
    <div className="flex flex-col gap-4">
      <CertificateCard route={route} />
      <Card title={t('title')} actions={<EffectMark effect="at_once" />} flush>
        {!data && error && (
          <ErrorState {...describeFailure(error)} onRetry={() => void refetch()} isRetrying={isFetching} />
        )}
        {!data && !error && (
          <div className="flex flex-col gap-4 border-t border-line p-4">
            <Skeleton className="h-14" />
            <Skeleton className="h-14" />
          </div>
        )}
        {data && (
          <>
            <ForceHttpsRow route={route} ssl={data} isLocked={isLocked} />
            <HstsRow route={route} ssl={data} isLocked={isLocked} />
            {data.change && <ChangeLine change={data.change} />}
          </>
        )}
      </Card>
    </div>
  );
}
