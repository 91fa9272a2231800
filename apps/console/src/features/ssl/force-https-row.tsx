import type { Route, SslConfig } from '@cordon/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { failureTexts, fieldTexts } from '../../app/failure';
import { notify } from '../../ui/notices';
import { Switch } from '../../ui/switch';
import { isHstsOn } from './hsts-words';
import { useUpdateSsl } from './queries';

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
  const [failure, setFailure] = useState<string>();
  const { force_https: isOn, has_certificate: hasCertificate } = ssl;
  const hindrance = isOn ? isHstsOn(ssl) && tField('HSTS_IS_ON') : !hasCertificate && tField('CERTIFICATE_REQUIRED');
  async function put(force_https: boolean, isUndo = false) {
    setFailure(undefined);
    try {
      await update.mutateAsync({ force_https });
    } catch (error) {
      setFailure(fieldTexts(error).force_https ?? failureTexts(error).join(' '));
      return;
    }
    const name = route.domain_name_unicode;
    notify({
      id: `force-https:${route.id}`,
      tone: 'success',
      title: t(force_https ? 'on' : 'off', { name }),
      isOf: 'tab',
      ...(isUndo ? {} : { action: { label: t('undo'), onPress: () => void put(!force_https, true) } }),
    });
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
      {failure && (
        <p role="alert" className="mt-2 text-sm text-danger">
          {failure}
        </p>
      )}
    </div>
  );
}
