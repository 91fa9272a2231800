import { type AuditLine, isNotFound } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../app/failure';
import { Sheet } from '../../ui/sheet';
import { ErrorState, Skeleton } from '../../ui/states';
import { AuditSheet } from './audit-sheet';
import { auditLineOptions } from './queries';

/** The line that the URL names: as the list has it, or else as the API answers it. */
export default function AuditEntry({
  id,
  line,
  onClose,
}: {
  id: number;
  line: AuditLine | undefined;
  onClose: () => void;
}) {
  const t = useTranslations('audit');
  const asked = useQuery({ ...auditLineOptions(id), enabled: line === undefined });
  const shown = line ?? asked.data;
  const isGone = isNotFound(asked.error);
  if (shown) return <AuditSheet line={shown} onClose={onClose} />;
  return (
    <Sheet open onOpenChange={(isOpen) => !isOpen && onClose()} title={t('title')}>
      {asked.isError ? (
        <ErrorState
          {...describeFailure(asked.error)}
          onRetry={isGone ? undefined : () => void asked.refetch()}
          isRetrying={asked.isFetching}
        />
      ) : (
        <Skeleton className="h-64" />
      )}
    </Sheet>
  );
}
