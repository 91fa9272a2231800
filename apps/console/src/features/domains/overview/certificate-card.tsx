import type { Route } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { StatusBadge } from '../../../ui/badge';
import { Card } from '../../../ui/card';
import { useFormat } from '../../../ui/format';
import { useNow } from '../../../ui/now';

const DAY_MS = 86_400_000;
/** From then on it should have been renewed. */
const SOON_DAYS = 14;

/** The certificate that visitors are shown: how long it holds, or what they get instead. */
export function CertificateCard({ route }: { route: Route }) {
  const t = useTranslations('overview.certificate');
  const format = useFormat();
  const now = useNow();
  const { certificate_expires_at: end, ownership } = route;
  const days = end === null ? undefined : Math.floor((Date.parse(end) - now) / DAY_MS);
  const isDemo = ownership.method === 'demo';
  // The health above says what visitors get without one.
  const isTold = route.health.findings.some(({ check }) => check === 'certificate');
  return (
    <Card flush aria-label={t('title')}>
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 gap-y-1 px-4 py-2.5">
        <h2 className="font-semibold">{t('title')}</h2>
        {end === null || days === undefined ? (
          <span className={isDemo ? 'text-sm text-muted' : 'text-sm text-warning'}>
            {t(isDemo ? 'demo' : isTold ? 'noneShort' : 'none')}
          </span>
        ) : (
          <StatusBadge tone={days < 0 ? 'danger' : days < SOON_DAYS ? 'warning' : 'success'}>
            {t(days < 0 ? 'expired' : 'until', { date: format.date(end), days })}
          </StatusBadge>
        )}
      </div>
    </Card>
  );
}
