import type { RouteSummary } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../app/failure';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { ErrorState, Skeleton } from '../../ui/states';
import { CertificateNeeded } from './certificate-needed';
import { isHstsOn } from './hsts-words';
import { sslOptions, useUpdateSsl } from './queries';
import { useForcedNotice } from './use-forced-notice';

interface ForceHttpsDialogProps {
  route: RouteSummary;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Asks whether HTTPS is to be forced, or no longer where it is; says why where it cannot be. */
export default function ForceHttpsDialog({ route, open, onOpenChange }: ForceHttpsDialogProps) {
  const t = useTranslations('ssl.force');
  const tField = useTranslations('fieldErrors');
  const { data: ssl, error, isFetching, refetch } = useQuery({ ...sslOptions(route.id), staleTime: 0, enabled: open });
  const update = useUpdateSsl(route.id);
  const say = useForcedNotice(route);
  const name = route.domain_name_unicode;
  const isOn = ssl?.force_https ?? false;
  const hindrance =
    ssl && (isOn ? isHstsOn(ssl) && tField('HSTS_IS_ON') : !ssl.has_certificate && <CertificateNeeded route={route} />);
  async function put(force_https: boolean, isUndo = false) {
    await update.mutateAsync({ force_https });
    // A refusal has shown its notice.
    say(force_https, isUndo ? undefined : () => void put(!force_https, true).catch(() => undefined));
  }
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={ssl ? t(isOn ? 'ask.off' : 'ask.on', { name }) : t('label')}
      confirmLabel={ssl && !hindrance ? t(isOn ? 'ask.allow' : 'label') : undefined}
      onConfirm={() => put(!isOn)}
    >
      {ssl ? (
        <>
          <p>{t(isOn ? 'ask.offBody' : 'hint')}</p>
          {hindrance && <p className="mt-2 text-warning">{hindrance}</p>}
        </>
      ) : error ? (
        <ErrorState
          {...describeFailure(error)}
          onRetry={() => void refetch()}
          isRetrying={isFetching}
          className="py-4!"
        />
      ) : (
        <Skeleton className="h-14" />
      )}
    </ConfirmDialog>
  );
}
