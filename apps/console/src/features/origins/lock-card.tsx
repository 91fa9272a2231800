import { ORIGIN_KEY_HEADER, type OriginLock, type Route } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { Eye, EyeOff, LockKeyhole, LockKeyholeOpen, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../app/failure';
import { EffectMark } from '../../domain/display/effect-mark';
import { Callout } from '../../domain/form/callout';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { CodeBlock } from '../../ui/code-block';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { useFormat } from '../../ui/format';
import { notify } from '../../ui/notices';
import { ErrorState, Skeleton } from '../../ui/states';
import { type LockAction, originAccessOptions, useChangeLock, useRevealKey } from './queries';
import { SnippetPicker } from './snippet-picker';
import { lockSnippet } from './snippets';

const tones = { off: 'neutral', on: 'success', rotating: 'warning' } as const;

/** The values in clear, and how a server checks them. */
function Secret({ value, next }: { value: string; next: string | null }) {
  const t = useTranslations('origins.lock');
  return (
    <div className="flex flex-col gap-4">
      <CodeBlock code={value} label={t('value')} />
      {next !== null && <CodeBlock code={next} label={t('nextValue')} />}
      <SnippetPicker
        label={t('snippet')}
        snippet={(server) => lockSnippet(server, next === null ? [value] : [value, next])}
      />
    </div>
  );
}

interface LockParts {
  lock: OriginLock;
  change: ReturnType<typeof useChangeLock>;
  reveal: ReturnType<typeof useRevealKey>;
  onAct: (action: LockAction) => void;
  onAsk: (action: 'disable' | 'switch') => void;
}

/** What can be done with one that is on: beside the state, or, while its secret is changed, below what is to be done first. */
function LockButtons({ lock, change, reveal, onAct, onAsk }: LockParts) {
  const t = useTranslations('origins.lock');
  const size = lock.state === 'on' ? 'sm' : undefined;
  return (
    <>
      {lock.state === 'rotating' && (
        <>
          <Button variant="primary" onClick={() => onAsk('switch')}>
            {t('switch')}
          </Button>
          <Button onClick={() => onAct('cancel')}>{t('cancel')}</Button>
        </>
      )}
      {reveal.data ? (
        <Button size={size} icon={<EyeOff size={16} aria-hidden />} onClick={() => reveal.reset()}>
          {t('hide')}
        </Button>
      ) : (
        <Button
          size={size}
          icon={<Eye size={16} aria-hidden />}
          loading={reveal.isPending}
          onClick={() => reveal.mutate()}
        >
          {t('reveal')}
        </Button>
      )}
      {lock.state === 'on' && (
        <Button
          size={size}
          icon={<RotateCw size={16} aria-hidden />}
          loading={change.isPending}
          onClick={() => onAct('prepare')}
        >
          {t('prepare')}
        </Button>
      )}
      <Button
        size={size}
        variant="ghost"
        icon={<LockKeyholeOpen size={16} aria-hidden />}
        onClick={() => onAsk('disable')}
      >
        {t('disable')}
      </Button>
    </>
  );
}

/** One that is on: since when, and its secret. */
function LockBody(parts: LockParts) {
  const { lock, reveal } = parts;
  const t = useTranslations('origins.lock');
  const format = useFormat();
  return (
    <div className="flex max-w-3xl flex-col gap-4 px-4 pb-4">
      <p className="text-sm text-muted">
        {lock.changed_at && `${t('changed', { time: format.dateTime(lock.changed_at) })} · `}
        {t('audited')}
      </p>
      {lock.state === 'rotating' && (
        <>
          <Callout tone="warning">{t('rotating')}</Callout>
          <div className="flex flex-wrap gap-2">
            <LockButtons {...parts} />
          </div>
        </>
      )}
      {reveal.data && <Secret value={reveal.data.value} next={reveal.data.next_value} />}
    </div>
  );
}

/** A secret header field by which the origin knows our requests. */
export function LockCard({ route }: { route: Route }) {
  const t = useTranslations('origins.lock');
  const query = useQuery(originAccessOptions(route.id));
  const change = useChangeLock(route.id);
  const reveal = useRevealKey(route.id);
  const [asked, setAsked] = useState<'disable' | 'switch'>();
  const lock = query.data?.lock;
  const body = t('body', { header: ORIGIN_KEY_HEADER });
  const run = async (action: LockAction) => {
    await change.mutateAsync(action);
    // What was shown may no longer be what is sent.
    reveal.reset();
    notify({ tone: 'success', title: t(`done.${action}`) });
  };
  const act = (action: LockAction) => void run(action).catch(() => undefined);
  const parts = lock && { lock, change, reveal, onAct: act, onAsk: setAsked };
  return (
    <Card
      title={t('title')}
      // Below the buttons that stand beside the title.
      description={lock?.state !== 'on' && body}
      actions={
        <>
          {lock && <Badge tone={tones[lock.state]}>{t(`state.${lock.state}`)}</Badge>}
          <EffectMark effect="at_once" />
          {lock?.state === 'off' && (
            <Button
              size="sm"
              icon={<LockKeyhole size={16} aria-hidden />}
              loading={change.isPending}
              onClick={() => act('enable')}
            >
              {t('enable')}
            </Button>
          )}
          {parts?.lock.state === 'on' && <LockButtons {...parts} />}
        </>
      }
      flush
    >
      {!lock && query.isError && <ErrorState {...describeFailure(query.error)} onRetry={() => void query.refetch()} />}
      {!lock && !query.isError && <Skeleton className="mx-4 mb-4 h-9 w-40 sm:mx-5" />}
      {lock?.state === 'on' && <p className="mb-3 px-4 text-sm text-muted">{body}</p>}
      {parts && parts.lock.state !== 'off' && <LockBody {...parts} />}
      <ConfirmDialog
        open={asked !== undefined}
        onOpenChange={(open) => !open && setAsked(undefined)}
        title={t(asked === 'switch' ? 'confirmSwitch.title' : 'confirmDisable.title')}
        confirmLabel={t(asked === 'switch' ? 'switch' : 'disable')}
        tone="danger"
        onConfirm={() => asked && run(asked)}
      >
        {t(asked === 'switch' ? 'confirmSwitch.body' : 'confirmDisable.body')}
      </ConfirmDialog>
    </Card>
  );
}
