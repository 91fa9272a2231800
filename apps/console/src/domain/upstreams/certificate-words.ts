import { useTranslations } from 'use-intl';
import { useFormat } from '../../ui/format';
import type { OriginCertificate } from './use-verify-upstreams';

/** Why the edge will refuse a certificate that it asks for by this name. */
export function useCertificateWords(): (certificate: OriginCertificate, name: string) => string {
  const t = useTranslations('domain.upstreams.verified');
  const format = useFormat();
  return ({ problem, subject, expires_at }, name) =>
    t('refused', {
      problem: problem ?? 'untrusted',
      name,
      subject: subject || t('unnamed'),
      date: expires_at ? format.date(expires_at) : '',
    });
}
