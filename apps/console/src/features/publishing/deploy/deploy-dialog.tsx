import type { Route } from '@cordon/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Rocket } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../../app/failure';
import { useWho } from '../../../app/who';
import { ChangeView } from '../../../domain/changes/change-view';
import { ChangeListPart } from '../../../domain/changes/lazy-change-list';
import { domainKeys } from '../../../domain/data/keys';
import { routeOptions } from '../../../domain/data/queries';
import { NOTE_MAX } from '../../../domain/form/note-max';
import { useAsked } from '../../../domain/form/use-asked';
import { domainActions } from '../../../domain/model/domain-state';
import { Button } from '../../../ui/button';
import { CloseButton } from '../../../ui/closing';
import { Dialog } from '../../../ui/dialog';
import { Field } from '../../../ui/field';
import { useFormat } from '../../../ui/format';
import { lazyPart } from '../../../ui/lazy-part';
import { useLoadedPart } from '../../../ui/loaded-part';
import { dismissScreenNotices } from '../../../ui/notices';
import { ErrorState, Skeleton } from '../../../ui/states';
import { TextInput } from '../../../ui/text-input';
import { DraftReplay } from './draft-replay';
import { useDeployRoute } from './use-route-actions';

const Refusal = lazyPart(() => import('./refusal'));

function Changes({ route }: { route: Route }) {
  const t = useTranslations('domain.deploy');
  const format = useFormat();
  const who = useWho();
  const ago = format.relative(route.draft_updated_at);
  const by = route.draft_updated_by;
  return (
    <ChangeView
      before={route.live}
      after={route.draft}
      isAwaited
      about={by === null ? t('changedAt', { ago }) : t('changedBy', { who: who(by), ago })}
    />
  );
}

/** The domain, read anew when the dialog opens, and its deploy with a note. */
function useDeployForm(routeId: string, open: boolean, onDone: () => void) {
  const client = useQueryClient();
  const query = useQuery({ ...routeOptions(routeId), enabled: open, refetchOnMount: 'always' });
  const deploy = useDeployRoute(routeId);
  const [note, setNote] = useState('');
  const { about: route, ask, isLost } = useAsked(open, query.data);

  async function submit() {
    if (!route) return;
    try {
      await ask(() => deploy.mutateAsync({ revision: route.draft_revision, note: note.trim() }));
      onDone();
      setNote('');
    } catch {
      // Shown in the dialog; another user's change is read, so that the list below is true again.
      void client.invalidateQueries({ queryKey: domainKeys.route(routeId) });
    }
  }
  return { query, route, note, setNote, isLost, deploy, submit };
}

type DeployForm = ReturnType<typeof useDeployForm>;

const reading = (
  <div className="flex flex-col gap-2" aria-busy>
    <Skeleton className="h-5 w-2/3" />
    <Skeleton className="h-24 w-full" />
  </div>
);

/** What the draft would do to recent requests, its changes, and the note: what comes late has its place, so that nothing moves. */
function Reading({ query, route, note }: Pick<DeployForm, 'query' | 'route'> & { note: ReactNode }) {
  if (route)
    return (
      <Suspense fallback={reading}>
        <DraftReplay route={route} />
        <Changes route={route} />
        {note}
      </Suspense>
    );
  if (query.isError)
    return (
      <ErrorState
        {...describeFailure(query.error)}
        onRetry={() => void query.refetch()}
        isRetrying={query.isFetching}
        className="py-4!"
      />
    );
  return reading;
}

interface DeployDialogProps {
  routeId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** What a deploy would change, before it does; `live` and the draft are read anew when it opens. */
export function DeployDialog({ routeId, open, onOpenChange }: DeployDialogProps) {
  const t = useTranslations('domain.deploy');
  const tUi = useTranslations('ui');
  const formId = useId();
  const start = useRef<HTMLFormElement>(null);
  const { query, route, note, setNote, isLost, deploy, submit } = useDeployForm(routeId, open, () =>
    onOpenChange(false),
  );
  const isListReady = useLoadedPart(ChangeListPart);
  const isFirst = route?.last_deployed === null;
  // What offered this dialog would stand over it.
  useEffect(() => {
    if (open) dismissScreenNotices();
  }, [open]);
  return (
    <Dialog
      // It opens as high as it stays.
      open={open && isListReady}
      onOpenChange={(next) => {
        onOpenChange(next);
        if (!next) deploy.reset();
      }}
      size="md"
      busy={deploy.isPending}
      // A long list of changes is read from its top.
      initialFocus={start}
      title={route ? t(isFirst ? 'titleFirst' : 'title', { name: route.domain_name_unicode }) : t('loading')}
      description={route && isFirst && t('bodyFirst')}
      footer={
        <>
          <CloseButton>{tUi('cancel')}</CloseButton>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            icon={<Rocket size={16} aria-hidden />}
            loading={deploy.isPending}
            disabled={!route || !domainActions(route).deploy}
          >
            {t('confirm')}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        ref={start}
        tabIndex={-1}
        className="outline-none flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Suspense fallback={null}>
          {deploy.error && <Refusal error={deploy.error} route={route} onLeave={() => onOpenChange(false)} />}
        </Suspense>
        <Reading
          query={query}
          route={route}
          note={
            <Field label={t('note')}>
              <TextInput
                value={note}
                // With another note it would be another request.
                disabled={isLost}
                onChange={(event) => setNote(event.target.value)}
                maxLength={NOTE_MAX}
                placeholder={t('notePlaceholder')}
              />
            </Field>
          }
        />
      </form>
    </Dialog>
  );
}
