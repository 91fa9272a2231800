import { ApiError, type Route, type SslConfig } from '@cordon/contract';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { failureTexts, fieldTexts } from '../../app/failure';
import { Switch } from '../../ui/switch';
import { CertificateNeeded } from './certificate-needed';
import { isHstsOn } from './hsts-words';
import { useUpdateSsl } from './queries';
import { useForcedNotice } from './use-forced-notice';

interface RowProps {
  route: Route;
  ssl: SslConfig;
  /** Nothing can be changed. */
  isLocked: boolean;
}

/** Whether visitors over HTTP are sent to HTTPS: switched at once, with the way back in the notice. */
export function ForceHttpsRow({ route, ssl, isLocked }: RowProps) {
  const t = useTranslations('ssl.force');
  const tField = useTranslations('fieldErrors');
  const update = useUpdateSsl(route.id, { isSilent: true });
  const say = useForcedNotice(route);
  const [failure, setFailure] = useState<ReactNode>();
  const { force_https: isOn, has_certificate: hasCertificate } = ssl;
  const needed = <CertificateNeeded route={route} />;
  const hindrance = isOn ? isHstsOn(ssl) && tField('HSTS_IS_ON') : !hasCertificate && needed;
  async function put(force_https: boolean, isUndo = false) {
    setFailure(undefined);
    try {
      await update.mutateAsync({ force_https });
    } catch (error) {
      const isUncertified = error instanceof ApiError && error.fields.force_https === 'CERTIFICATE_REQUIRED';
      setFailure(isUncertified ? needed : (fieldTexts(error).force_https ?? failureTexts(error).join(' ')));
      return;
    }
    say(force_https, isUndo ? undefined : () => void put(!force_https, true));
  }
  return (
    <div className="border-t border-line px-4 py-3">
      <Switch
        end
        label={t('label')}
        hint={t('hint')}
        checked={isOn}
        disabled={isLocked || (hindrance !== false && !update.isPending)}
        aria-busy={update.isPending || undefined}
        onChange={(event) => update.isPending || void put(event.target.checked)}
      />
      {!isLocked && !update.isPending && hindrance && <p className="mt-2 text-sm text-warning">{hindrance}</p>}
      {failure && !hindrance && (
        <p role="alert" className="mt-2 text-sm text-danger">
          {failure}
        </p>
      )}
    </div>
  );
}
