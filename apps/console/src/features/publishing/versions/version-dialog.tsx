import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../../app/failure';
import { useWho } from '../../../app/who';
import { ChangeView } from '../../../domain/changes/change-view';
import { CloseButton } from '../../../ui/closing';
import { Dialog } from '../../../ui/dialog';
import { useFormat } from '../../../ui/format';
import { ErrorState, Skeleton } from '../../../ui/states';
import { versionOptions } from './queries';

interface VersionDialogProps {
  routeId: string;
  version: number;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** What a version holds, where there is no other to compare it with. */
export default function VersionDialog({ routeId, version, open, onOpenChange }: VersionDialogProps) {
  const t = useTranslations('versions');
  const tUi = useTranslations('ui');
  const format = useFormat();
  const who = useWho();
  const query = useQuery(versionOptions(routeId, version));
  const { data } = query;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      top
      title={t('versionOption', { version })}
      footer={<CloseButton>{tUi('close')}</CloseButton>}
    >
      {data ? (
        <ChangeView
          before={null}
          after={data.config}
          about={t('madeBy', {
            who: data.created_by === null ? t('cordon') : who(data.created_by),
            time: format.dateTime(data.created_at),
          })}
        />
      ) : query.isLoadingError ? (
        <ErrorState
          {...describeFailure(query.error)}
          onRetry={() => void query.refetch()}
          isRetrying={query.isFetching}
          className="py-4!"
        />
      ) : (
        <Skeleton className="h-32 w-full" />
      )}
    </Dialog>
  );
}
