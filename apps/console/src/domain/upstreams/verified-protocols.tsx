import { Check, CircleAlert, Minus } from 'lucide-react';
import { useFormContext, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { useFormat } from '../../ui/format';
import { useCodeWords } from '../words/error-words';
import { useCertificateWords } from './certificate-words';
import type { UpstreamValues } from './upstream-values';
import { refusedCertificateOf, type VerifiedUpstream } from './use-verify-upstreams';

interface VerifiedProtocolsProps {
  verified: VerifiedUpstream;
  serverName: string | undefined;
}

/** What answered at one target: protocol, port, status and milliseconds, or why nothing did or the edge will refuse it. */
export function VerifiedProtocols({ verified, serverName }: VerifiedProtocolsProps) {
  const t = useTranslations('domain.upstreams');
  const format = useFormat();
  const words = useCodeWords();
  const certificateWords = useCertificateWords();
  const { control } = useFormContext<UpstreamValues>();
  const refused = refusedCertificateOf(verified, useWatch({ control, name: 'upstreams' }));
  // What may not be reached was not tried.
  const tried = verified.error === null || verified.error === 'UPSTREAM_UNREACHABLE' ? verified.protocols : [];
  return (
    <ul
      className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm"
      aria-label={t('verified.label', { target: verified.upstream })}
    >
      {verified.error && (
        <li className="flex items-start gap-1.5 text-danger">
          <CircleAlert size={14} className="mt-0.5 shrink-0" aria-hidden />
          {verified.error === 'UPSTREAM_UNREACHABLE' ? t('verified.unreachable') : words(verified.error)}
        </li>
      )}
      {tried.map((one) => (
        <li
          key={`${one.protocol}-${one.port}`}
          className={one.answers ? 'flex items-center gap-1.5' : 'flex items-center gap-1.5 text-muted'}
        >
          {one.answers && !(refused && one.certificate) ? (
            <Check size={14} className="text-success" aria-hidden />
          ) : (
            <Minus size={14} aria-hidden />
          )}
          <span>
            <span className={one.answers ? 'font-medium' : undefined}>
              {t('verified.protocol', { protocol: one.protocol.toUpperCase(), port: String(one.port) })}
            </span>{' '}
            {one.answers
              ? [
                  one.status === null ? t('verified.connected') : t('verified.status', { status: String(one.status) }),
                  one.ms === null ? undefined : format.duration(Math.round(one.ms)),
                ]
                  .filter(Boolean)
                  .join(' · ')
              : t('verified.silent')}
          </span>
        </li>
      ))}
      {refused && (
        <li className="flex items-start gap-1.5 text-danger">
          <CircleAlert size={14} className="mt-0.5 shrink-0" aria-hidden />
          {certificateWords(refused, serverName ?? verified.upstream)}
        </li>
      )}
    </ul>
  );
}
