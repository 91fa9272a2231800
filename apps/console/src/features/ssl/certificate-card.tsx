import { isWildcardName, type Route } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { certificateState } from '../../domain/model/certificate-state';
import { isServed } from '../../domain/model/domain-state';
import { Card } from '../../ui/card';
import { useFormat } from '../../ui/format';
import { useNow } from '../../ui/now';
import { RecheckLink } from './recheck-link';

const tones = { danger: 'text-danger', warning: 'text-warning' };

/** What visitors over HTTPS are shown, in a sentence, and where it is looked at anew. */
export function CertificateCard({ route }: { route: Route }) {
  const t = useTranslations('ssl.certificate');
  const format = useFormat();
  const { word, days, tone } = certificateState(route, useNow());
  const end = route.certificate_expires_at;
  const isTrusted = route.certificate_finding !== 'not_trusted';
  const state = !isServed(route) ? 'notServed' : word === 'days' && !isTrusted ? 'notTrusted' : word;
  const hasMoreNames = route.shadow_domains.length > 0 || isWildcardName(route.domain_name);
  return (
    <Card title={t('title')}>
      <p className={tone && state !== 'notServed' ? tones[tone] : undefined}>
        {t(`state.${state}`, { date: end === null ? '' : format.date(end), days })}
      </p>
      {hasMoreNames && <p className="mt-1 text-sm text-muted">{t('moreNames')}</p>}
      {isServed(route) && (
        <p className="mt-2">
          <RecheckLink routeId={route.id} />
        </p>
      )}
    </Card>
  );
}
