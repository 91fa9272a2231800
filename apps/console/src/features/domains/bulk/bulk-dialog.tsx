import { type BulkAction, isNotFound, type RouteSelection } from '@cordon/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../../app/api-client';
import { describeFailure, isTransient } from '../../../app/failure';
import { needCatalogs } from '../../../app/intl-store';
import { groupsOptions, useGroupName } from '../../../domain/data/group-queries';
import { NOTE_MAX } from '../../../domain/form/note-max';
import { useAsked } from '../../../domain/form/use-asked';
import { taskKeys } from '../../../domain/tasks/queries';
import { useCodeWords } from '../../../domain/words/error-words';
import { ConfirmDialog } from '../../../ui/confirm-dialog';
import { Field } from '../../../ui/field';
import { lazyPart } from '../../../ui/lazy-part';
import { ErrorState, Skeleton } from '../../../ui/states';
import { TextInput } from '../../../ui/text-input';
import { BulkPreviewList, BulkPreviewSkeleton, bulkPreviewOptions, countChanged } from './bulk-preview';
import { GroupChoice } from './group-choice';
import { useBulkClear } from './use-bulk-clear';

const ClearSettings = lazyPart(async () => {
  await needCatalogs('domain');
  return import('./clear-settings');
});

/** What is asked may be higher than a phone: title and buttons stay in sight. */
const SCROLLING = {
  maxHeight: 'calc(100dvh - 220px)',
  overflowY: 'auto',
  marginInline: -20,
  paddingInline: 20,
} as const;

export interface BulkDialogProps {
  action: BulkAction;
  selection: RouteSelection;
  count: number;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onStarted: (batchId: string) => void;
  /** What is done later has no batch yet. */
  onScheduled?: (() => void) | undefined;
}

/** The question before something is done to many domains, which names them; then the batch runs without this browser. */
export default function BulkDialog(props: BulkDialogProps) {
  const { action, selection, count, open, onOpenChange, onStarted, onScheduled } = props;
  const t = useTranslations('bulk.confirm');
  const groupList = useQuery(groupsOptions);
  // One that somebody has deleted meanwhile.
  const [goneId, setGoneId] = useState<string>();
  const groups = groupList.data?.filter(({ id }) => id !== goneId);
  const codeWords = useCodeWords();
  const nameOf = useGroupName();
  const [note, setNote] = useState('');
  const [chosenGroupId, setGroupId] = useState<string>();
  const isMove = action === 'move_group';
  // Most are in the first one: chosen for them, there would be nothing to move.
  const onlyGroupId = groups?.length === 1 ? groups[0]?.id : undefined;
  const isGone = goneId !== undefined && chosenGroupId === goneId;
  const groupId = !isMove || isGone ? undefined : (chosenGroupId ?? onlyGroupId);
  const isUndecided = isMove && groupId === undefined;
  const options = bulkPreviewOptions(action, selection, groupId);
  const preview = useQuery({ ...options, enabled: open && (!isMove || groups !== undefined) });
  const { about: shown, ask, isLost } = useAsked(`${open} ${groupId}`, preview.data);
  const failed = [preview, ...(isMove ? [groupList] : [])].find(({ isLoadingError }) => isLoadingError);
  // Nothing else that is named here is asked for by its id.
  if (groupId !== undefined && isNotFound(preview.error)) setGoneId(groupId);
  const queryClient = useQueryClient();
  useEffect(() => {
    if (goneId !== undefined) void queryClient.invalidateQueries({ queryKey: groupsOptions.queryKey });
  }, [goneId, queryClient]);
  /** It may have begun all the same, or be another plan by now. What nothing answered is still the plan that was shown, until it is read anew. */
  function readAnew(error: Error) {
    if (isNotFound(error)) setGoneId(groupId);
    else if (isTransient(error)) void queryClient.invalidateQueries({ queryKey: options.queryKey });
    else void queryClient.resetQueries({ queryKey: options.queryKey });
  }
  const clear = useBulkClear(selection, {
    domains: shown?.included,
    onDone({ batch_id: batchId }) {
      onOpenChange(false);
      if (batchId === null) onScheduled?.();
      else onStarted(batchId);
    },
    onError: readAnew,
  });
  const { isLater } = clear;
  const clearKind = clear.choice.kind;
  const start = useMutation({
    mutationFn: async () => {
      const noted = action === 'deploy' && note.trim() !== '' ? { note: note.trim() } : {};
      // What is confirmed is what was shown.
      const digest = shown?.digest;
      return (
        await api.bulkRoutes({
          body: { action, selection, group_id: groupId, digest, ...noted, ...(clear.choice.soft && { soft: true }) },
        })
      ).result;
    },
    onSuccess(batch) {
      // Tried again by its notice, the dialog is not closed by its own button.
      onOpenChange(false);
      // Domains that are deleted leave them: what is not in sight is read anew once it is.
      if (action === 'delete') void queryClient.invalidateQueries({ queryKey: taskKeys.all });
      onStarted(batch.id);
    },
    onError: readAnew,
  });
  // What is left out, or will fail, is no part of what is asked: the list names it.
  const touched = shown ? countChanged(shown) : count;
  // Of a move it is only asked where to.
  const asked = isMove && touched === 0 ? count : touched;
  // Another group may still be chosen.
  const isNothing = shown !== undefined && touched === 0 && !isMove && !preview.isPlaceholderData;
  const isDestroying = action === 'deactivate' || action === 'delete';
  // As of one domain: what is served on, or can be cancelled yet, costs nobody anything.
  const isDanger = isDestroying || (action === 'clear_cache' && clearKind === 'all' && !clear.choice.soft && !isLater);
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      width={640}
      // How many there are may not be known, where a filter stands for them.
      title={t(asked === 0 && !shown ? `${action}.confirm` : `${action}.title`, { count: asked })}
      confirmLabel={
        isNothing ? undefined : t(isLater ? 'clear_cache.schedule' : `${action}.confirm`, { count: touched })
      }
      // Nothing is confirmed before it was shown.
      disabled={isUndecided || !shown || preview.isPlaceholderData || touched === 0 || !clear.isRight}
      tone={isDanger ? 'danger' : 'primary'}
      {...(action === 'delete' && !isNothing ? { typeToConfirm: t('delete.word') } : {})}
      onConfirm={() => ask<unknown>(() => (clear.isTask ? clear.run(shown?.digest) : start.mutateAsync()))}
    >
      <div style={SCROLLING}>
        {isMove && groups && (
          <GroupChoice
            groups={groups}
            value={groupId}
            error={isGone ? codeWords('GROUP_GONE') : undefined}
            onValueChange={setGroupId}
          />
        )}
        {isDestroying && !isNothing && <p>{t(`${action}.body`)}</p>}
        {action === 'clear_cache' && !isNothing && (
          <p>
            {t(`clear_cache.body.${clearKind !== 'all' ? 'part' : clear.choice.soft ? 'soft' : 'all'}`, {
              count: touched,
            })}
          </p>
        )}
        {action === 'deploy' && Boolean(shown?.changed_since) && <p>{t('deploy.later')}</p>}
        {shown ? (
          <BulkPreviewList
            action={action}
            preview={shown}
            isUndecided={isUndecided}
            clearKind={clearKind}
            groupName={(id) => {
              const group = groups?.find((one) => one.id === id);
              return group ? nameOf(group) : '';
            }}
          />
        ) : failed ? (
          <ErrorState
            {...describeFailure(failed.error)}
            onRetry={() => void failed.refetch()}
            isRetrying={failed.isFetching}
            className="py-4!"
          />
        ) : (
          <BulkPreviewSkeleton names={selection.names ?? []} count={count} />
        )}
        {shown && shown.tasks.cancelled > 0 && (
          <p className="mt-2">{t('delete.cancelled', { count: shown.tasks.cancelled })}</p>
        )}
        {shown && shown.tasks.left > 0 && <p className="mt-2">{t('delete.left', { count: shown.tasks.left })}</p>}
        {action === 'clear_cache' && !isNothing && (
          <div className="mt-4 flex flex-col gap-4 text-ink">
            <Suspense fallback={<Skeleton className="h-64" />}>
              {/* As a note, each makes another request. */}
              <ClearSettings {...clear.settings} disabled={isLost} />
            </Suspense>
          </div>
        )}
        {action === 'deploy' && !isNothing && (
          <Field label={t('deploy.note')} className="mt-4 text-ink">
            <TextInput
              value={note}
              maxLength={NOTE_MAX}
              // With another note it would be another request.
              disabled={isLost}
              onChange={(event) => setNote(event.target.value)}
            />
          </Field>
        )}
      </div>
    </ConfirmDialog>
  );
}
