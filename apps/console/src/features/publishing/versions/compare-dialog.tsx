import type { Route, RouteConfig, Version } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeftRight } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../../app/failure';
import { useWho } from '../../../app/who';
import { ChangeView } from '../../../domain/changes/change-view';
import { Button, IconButton } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { Field } from '../../../ui/field';
import { useFormat } from '../../../ui/format';
import { Select } from '../../../ui/select';
import { ErrorState, Skeleton } from '../../../ui/states';
import { versionOptions } from './queries';
import { RollbackForm, useRollback } from './rollback-form';
import { type Side, useVersionChoice, versionOf } from './version-choice';
import { noteOf } from './version-note';

/** A side's configuration: the draft is at hand, a version is read. */
function useSide(route: Route, side: Side) {
  const version = versionOf(side);
  const query = useQuery({ ...versionOptions(route.id, version ?? 0), enabled: version !== undefined });
  const config: RouteConfig | undefined = version === undefined ? route.draft : query.data?.config;
  return { query, config, version: version === undefined ? undefined : query.data };
}

function SideMeta({ route, version }: { route: Route; version: Version | undefined }) {
  const t = useTranslations('versions');
  const format = useFormat();
  const whoOf = useWho();
  const [who, at, note, key] = version
    ? ([version.created_by, version.created_at, noteOf(version), 'madeBy'] as const)
    : ([route.draft_updated_by, route.draft_updated_at, '', 'draftBy'] as const);
  return (
    <p className="mt-1.5 text-sm text-muted wrap-anywhere">
      {t(key, { who: who === null ? t('cordon') : whoOf(who), time: format.dateTime(at) })}
      {note !== '' && <span className="block text-ink">“{note}”</span>}
    </p>
  );
}

export interface CompareDialogProps {
  route: Route;
  from: Side;
  to: Side;
  /** Opened to bring the second side back, not only to look. */
  isRollback: boolean;
  onSidesChange: (from: Side, to: Side) => void;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Two versions side by side, either may be the draft; the second can be brought back. */
export default function CompareDialog({
  route,
  from,
  to,
  isRollback,
  onSidesChange,
  open,
  onOpenChange,
}: CompareDialogProps) {
  const t = useTranslations('versions');
  const tUi = useTranslations('ui');
  const choice = useVersionChoice(route, [from, to]);
  const left = useSide(route, from);
  const right = useSide(route, to);
  const failed = [left.query, right.query].find((query) => query.isLoadingError);
  const rollback = useRollback({
    route,
    version: right.version,
    isTitled: isRollback,
    open,
    onDone: () => onOpenChange(false),
  });
  const sideText = (side: Side) => {
    const version = versionOf(side);
    return version === undefined ? t('sideDraft') : t('short', { version });
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      top
      title={
        isRollback && rollback.version ? t('back.title', { version: rollback.version.version }) : t('compareTitle')
      }
      dirty={rollback.isNoted}
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>{tUi('close')}</Button>
          {rollback.buttons}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
          <Field label={t('from')} className="min-w-0 flex-1">
            <Select options={choice.options} value={from} onValueChange={(side) => onSidesChange(side, to)} />
            {left.config && <SideMeta route={route} version={left.version} />}
          </Field>
          <IconButton
            label={t('swap')}
            icon={<ArrowLeftRight size={16} aria-hidden />}
            onClick={() => onSidesChange(to, from)}
            className="mt-6 phone:rotate-90"
          />
          <Field label={t('to')} className="min-w-0 flex-1 phone:basis-full">
            <Select options={choice.options} value={to} onValueChange={(side) => onSidesChange(from, side)} />
            {right.config && <SideMeta route={route} version={right.version} />}
          </Field>
        </div>
        {choice.olderCount > 0 && (
          <Button
            size="sm"
            variant="ghost"
            loading={choice.isLoadingOlder}
            onClick={choice.loadOlder}
            className="self-start"
          >
            {t('older', { count: choice.olderCount })}
          </Button>
        )}
        {failed ? (
          <ErrorState
            {...describeFailure(failed.error)}
            onRetry={() => void failed.refetch()}
            isRetrying={failed.isFetching}
            className="py-4!"
          />
        ) : left.config && right.config ? (
          <ChangeView
            before={left.config}
            after={right.config}
            about={t('goingFrom', { from: sideText(from), to: sideText(to) })}
          />
        ) : (
          <Skeleton className="h-32 w-full" />
        )}
        <RollbackForm rollback={rollback} />
      </div>
    </Dialog>
  );
}
