import { ApiError, type Route, type RouteConfig } from '@cordon/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure, failureTexts, missingReason, notifyFailure, supportIdOf } from '../../app/failure';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { dismissNotice, type Notice, notify } from '../../ui/notices';
import { joinSentences } from '../../ui/sentences';
import { ErrorState, Skeleton } from '../../ui/states';
import { ChangeList } from '../changes/lazy-change-list';
import { domainKeys } from '../data/keys';
import { routeOptions } from '../data/queries';
import { Callout } from '../form/callout';
import { useAsked } from '../form/use-asked';
import { useErrorList } from '../words/error-words';
import { onNextDraft } from './next-draft';
import { useDiscardDraft } from './use-discard-draft';

/** Long enough to see what one has done. */
const UNDO_MS = 10_000;
/** What takes longer is said to be under way. */
const UNSAID_MS = 1_000;

/** Saving brings every setting of the draft back, but takes none away that only the live version has. */
const canRestore = ({ draft, live }: Route): boolean =>
  live?.plugins.every(({ name }) => draft.plugins.some((plugin) => plugin.name === name)) ?? false;

/** The draft is what is live, and nothing else has become live: it was given up. */
const isDiscarded = (route: Route, before: Route): boolean =>
  route.pending_changes === 0 && route.version_live === before.version_live;

/** The draft has gone on without it, the domain is gone, or the draft is not one that could be saved. */
const isPastUndo = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'STALE_REVISION' || error.code === 'NOT_FOUND' || error.status === 422);

export interface DiscardDialogProps {
  routeId: string;
  /** As people read it. */
  name: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The question before a draft is given up, with what is lost; a notice takes it back. */
export default function DiscardDialog({ routeId, name, open, onOpenChange }: DiscardDialogProps) {
  const t = useTranslations('domain.discard');
  const client = useQueryClient();
  const errorList = useErrorList();
  const query = useQuery({ ...routeOptions(routeId), enabled: open, refetchOnMount: 'always' });
  const { discard, restore } = useDiscardDraft(routeId);
  const { about: route, ask } = useAsked(open, query.data);

  /** The notice is the only way to a draft that is discarded: after an Undo that failed it stays. */
  function offerBack(draft: RouteConfig, revision: number, notice: Notice) {
    const id = `discarded:${routeId}`;
    const stop = onNextDraft(client, routeId, revision, () => dismissNotice(id));
    async function onPress() {
      stop();
      const slow = window.setTimeout(() => notify({ id, title: t('undoing', { name }), durationMs: 0 }), UNSAID_MS);
      try {
        await restore.mutateAsync({ draft, revision }).finally(() => {
          window.clearTimeout(slow);
          dismissNotice(id);
        });
        // The screen that shows that may have been left.
        notify({ tone: 'success', title: t('undone', { name }) });
      } catch (error) {
        if (isPastUndo(error))
          return error instanceof ApiError && error.code === 'STALE_REVISION'
            ? void notify({ tone: 'error', title: t('notUndone', { name }), description: t('goneOn') })
            : notifyFailure(error);
        const description = joinSentences(failureTexts(error));
        const title = t('notUndone', { name });
        offerBack(draft, revision, { tone: 'error', title, description, requestId: supportIdOf(error), durationMs: 0 });
      }
    }
    notify({ ...notice, id, action: { label: t('undo'), onPress: () => void onPress() }, onClose: stop });
  }

  function tellDiscarded(before: Route, revision: number) {
    const title = t('done', { count: before.pending_changes, name });
    const notice: Notice = { tone: 'success', title, durationMs: UNDO_MS };
    if (canRestore(before)) offerBack(before.draft, revision, notice);
    else notify(notice);
  }

  /** Closed without an answer: where the draft turns out to be discarded, its way back is offered all the same. */
  const lookAfter = useRef((_before: Route) => {});
  lookAfter.current = (before) => {
    onNextDraft(client, routeId, before.draft_revision, (now) => {
      if (isDiscarded(now, before)) tellDiscarded(before, now.draft_revision);
    });
    void client.fetchQuery({ ...routeOptions(routeId), staleTime: 0 }).catch(() => undefined);
  };

  /** What nothing answered may be discarded all the same. */
  const unanswered = useRef<Route>(undefined);
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = open;
    // Also where it goes with what asked it, a row of the draft that is gone.
    return () => {
      isOpen.current = false;
      if (unanswered.current) lookAfter.current(unanswered.current);
      unanswered.current = undefined;
    };
  }, [open]);

  async function onConfirm() {
    if (!route) return;
    unanswered.current = undefined;
    try {
      const { draft_revision: revision } = await ask(() => discard.mutateAsync(route.draft_revision));
      tellDiscarded(route, revision);
    } catch (error) {
      if (missingReason(error) !== undefined) {
        if (isOpen.current) unanswered.current = route;
        else lookAfter.current(route);
      }
      // What another user has changed meanwhile is read, so that the list is true again.
      void client.invalidateQueries({ queryKey: domainKeys.route(routeId) });
      throw error;
    }
  }
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => {
        onOpenChange(next);
        if (!next) discard.reset();
      }}
      title={t('title', { count: route?.pending_changes ?? 0, name })}
      confirmLabel={t('confirm')}
      tone="danger"
      disabled={!route}
      onConfirm={onConfirm}
    >
      <p>{t('body')}</p>
      <div className="mt-3 flex max-h-72 flex-col gap-3 overflow-y-auto text-ink">
        {discard.error && (
          <Callout tone="danger" role="alert">
            {discard.error instanceof ApiError && discard.error.code === 'STALE_REVISION'
              ? t('stale')
              : joinSentences(errorList(discard.error))}
          </Callout>
        )}
        {route ? (
          route.live && <ChangeList before={route.draft} after={route.live} />
        ) : query.isError ? (
          <ErrorState {...describeFailure(query.error)} onRetry={() => void query.refetch()} className="py-4!" />
        ) : (
          <Skeleton className="h-24 w-full" />
        )}
      </div>
    </ConfirmDialog>
  );
}
