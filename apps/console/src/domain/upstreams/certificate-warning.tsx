import { useFormContext } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button';
import { useFormat } from '../../ui/format';
import { Callout } from '../form/callout';
import type { UpstreamValues } from './upstream-values';
import type { CertificateProblem } from './use-verify-upstreams';

/** Says before anything is deployed that strict verification would turn every visitor into an error, and the way out. */
export function CertificateWarning({
  found,
  serverName,
}: {
  found: readonly CertificateProblem[];
  serverName: string | undefined;
}) {
  const t = useTranslations('upstreams.warning');
  const format = useFormat();
  const form = useFormContext<UpstreamValues>();
  return (
    <Callout
      tone="warning"
      className="mt-3"
      actions={
        <Button
          size="sm"
          onClick={() =>
            form.setValue('upstreams.tls_verification', 'off', { shouldDirty: true, shouldValidate: true })
          }
        >
          {t('switchOff')}
        </Button>
      }
    >
      <p className="font-medium">{t('title')}</p>
      <ul className="mt-1">
        {found.map(({ upstream, certificate }) => (
          <li key={upstream}>
            <span className="font-mono text-sm">{upstream}</span>
            {': '}
            {t(`problem.${certificate.problem ?? 'untrusted'}`, {
              name: serverName ?? upstream,
              subject: certificate.subject || t('unnamed'),
              date: certificate.expires_at ? format.date(certificate.expires_at) : '',
            })}
          </li>
        ))}
      </ul>
      <p className="mt-1">{t('wayOut')}</p>
    </Callout>
  );
}
