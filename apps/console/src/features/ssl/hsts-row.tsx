import { hstsValue, type Route, type SslConfig } from '@cordon/contract';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { lazyPart } from '../../ui/lazy-part';
import { notify } from '../../ui/notices';
import { CertificateNeeded } from './certificate-needed';
import { isHstsOn, useSpan } from './hsts-words';
import { useUpdateSsl } from './queries';

const HstsDialog = lazyPart(() => import('./hsts-dialog'));

/** Told to browsers that are to forget what they were told before. */
const FORGET = { max_age_seconds: 0, include_subdomains: false, preload: false };

interface RowProps {
  route: Route;
  ssl: SslConfig;
  /** Nothing can be changed. */
  isLocked: boolean;
}

/** What browsers are told now: nothing, to use HTTPS only, or to forget that. */
function HstsState({ ssl }: { ssl: SslConfig }) {
  const t = useTranslations('ssl.hsts');
  const span = useSpan();
  const { hsts } = ssl;
  if (hsts === null) return <p className="text-sm text-muted">{t('state.off')}</p>;
  if (!isHstsOn(ssl)) return <p className="text-sm text-warning">{t('state.forgetting')}</p>;
  return (
    <>
      <p className="text-sm text-muted">{t('state.on', { time: span(hsts.max_age_seconds) })}</p>
      <p className="mt-1.5 flex flex-wrap gap-1.5">
        {hsts.include_subdomains && <Badge>{t('subdomains')}</Badge>}
        {hsts.preload && <Badge tone="warning">{t('preload')}</Badge>}
      </p>
    </>
  );
}

/** Whether browsers are told to come by HTTPS only, which they remember: asked before it is turned on, and before it is turned off. */
export function HstsRow({ route, ssl, isLocked }: RowProps) {
  const t = useTranslations('ssl.hsts');
  const tField = useTranslations('fieldErrors');
  const span = useSpan();
  const update = useUpdateSsl(route.id);
  const [asked, setAsked] = useState<'set' | 'end' | 'stop'>();
  // The dialog is there from its first time on, so that it can close.
  const [isDialogNeeded, setDialogNeeded] = useState(false);
  const isOn = isHstsOn(ssl);
  const hindrance = ssl.force_https
    ? !isOn && !ssl.has_certificate && <CertificateNeeded route={route} />
    : tField('FORCE_HTTPS_REQUIRED');
  async function put(hsts: SslConfig['hsts'], title: string) {
    await update.mutateAsync({ hsts });
    notify({ id: `hsts:${route.id}`, tone: 'success', title, isOf: 'tab' });
  }
  const askSet = () => {
    setDialogNeeded(true);
    setAsked('set');
  };
  return (
    <div className="border-t border-line px-4 py-3">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          <h3 className="font-medium">{t('label')}</h3>
          <HstsState ssl={ssl} />
          {ssl.hsts && (
            <code className="mt-1.5 block font-mono text-sm wrap-anywhere">
              Strict-Transport-Security: {hstsValue(ssl.hsts)}
            </code>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button size="sm" disabled={isLocked || hindrance !== false} onClick={askSet}>
            {t(isOn ? 'change' : 'turnOn')}
          </Button>
          {ssl.hsts && (
            <Button size="sm" disabled={isLocked} onClick={() => setAsked(isOn ? 'end' : 'stop')}>
              {t(isOn ? 'turnOff' : 'stop')}
            </Button>
          )}
        </div>
      </div>
      {!isLocked && !isOn && hindrance && <p className="mt-2 text-sm text-muted">{hindrance}</p>}
      {isDialogNeeded && (
        <Suspense>
          <HstsDialog
            route={route}
            ssl={ssl}
            open={asked === 'set'}
            onOpenChange={(open) => setAsked(open ? 'set' : undefined)}
            onSave={(hsts) => put(hsts, t('done.on'))}
          />
        </Suspense>
      )}
      <ConfirmDialog
        open={asked === 'end'}
        onOpenChange={(open) => !open && setAsked(undefined)}
        title={t('end.title')}
        confirmLabel={t('turnOff')}
        onConfirm={() => put(FORGET, t('done.off'))}
      >
        <p>{t('end.body', { time: span(ssl.hsts?.max_age_seconds ?? 0) })}</p>
        {ssl.hsts?.preload && <p className="mt-2">{t('end.preload')}</p>}
      </ConfirmDialog>
      <ConfirmDialog
        open={asked === 'stop'}
        onOpenChange={(open) => !open && setAsked(undefined)}
        title={t('stopping.title')}
        confirmLabel={t('stop')}
        onConfirm={() => put(null, t('done.stopped'))}
      >
        {t('stopping.body')}
      </ConfirmDialog>
    </div>
  );
}
