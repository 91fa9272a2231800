import type { RouteSummary } from '@cordon/contract';
import { useTranslations } from 'use-intl';
import { certificateState } from '../../domain/model/certificate-state';
import { isServed } from '../../domain/model/domain-state';
import { useNow } from '../../ui/now';
import { RecheckLink } from './recheck-link';

/** Without which certificate HTTPS cannot be forced, and where it is looked at anew once there is one. */
export function CertificateNeeded({ route }: { route: RouteSummary }) {
  const t = useTranslations('ssl.force');
  const { word } = certificateState(route, useNow());
  if (word === 'demo') return t('neededDemo');
  return (
    <>
      {t('needed', { name: route.domain_name_unicode })} {isServed(route) && <RecheckLink routeId={route.id} />}
    </>
  );
}
