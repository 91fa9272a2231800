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

/** Turns it on; beside the state, since there is nothing else to show of one that is off. */
function EnableButton({ route }: { route: Route }) {
  const t = useTranslations('origins.lock');
  const change = useChangeLock(route.id);
  const enable = async () => {
    await change.mutateAsync('enable');
    notify({ tone: 'success', title: t('done.enable') });
  };
  return (
    <Button
      size="sm"
      icon={<LockKeyhole size={16} aria-hidden />}
      loading={change.isPending}
      onClick={() => void enable().catch(() => undefined)}
    >
      {t('enable')}
    </Button>
  );
}

/** One that is on: its secret, the way to another, and the way to turn it off. */
function LockBody({ route, lock }: { route: Route; lock: OriginLock }) {
  const t = useTranslations('origins.lock');
  const format = useFormat();
  const change = useChangeLock(route.id);
  const reveal = useRevealKey(route.id);
  const [asked, setAsked] = useState<'disable' | 'switch'>();
  const run = async (action: LockAction) => {
    await change.mutateAsync(action);
    // What was shown may no longer be what is sent.
    reveal.reset();
    notify({ tone: 'success', title: t(`done.${action}`) });
  };
  const act = (action: LockAction) => void run(action).catch(() => undefined);
  return (
    // It stays while it is off, for its question to close.
    <div className={lock.state === 'off' ? 'hidden' : 'flex max-w-3xl flex-col gap-4 px-4 pb-4 sm:px-5'}>
      {lock.changed_at && (
        <p className="text-sm text-muted">{t('changed', { time: format.dateTime(lock.changed_at) })}</p>
      )}
      {lock.state === 'rotating' && <Callout tone="warning">{t('rotating')}</Callout>}
      <div className="flex flex-wrap gap-2">
        {lock.state === 'rotating' && (
          <>
            <Button variant="primary" onClick={() => setAsked('switch')}>
              {t('switch')}
            </Button>
            <Button onClick={() => act('cancel')}>{t('cancel')}</Button>
          </>
        )}
        {!reveal.data && (
          <Button icon={<Eye size={16} aria-hidden />} loading={reveal.isPending} onClick={() => reveal.mutate()}>
            {t('reveal')}
          </Button>
        )}
        {reveal.data && (
          <Button icon={<EyeOff size={16} aria-hidden />} onClick={() => reveal.reset()}>
            {t('hide')}
          </Button>
        )}
        {lock.state === 'on' && (
          <Button icon={<RotateCw size={16} aria-hidden />} loading={change.isPending} onClick={() => act('prepare')}>
            {t('prepare')}
          </Button>
        )}
        <Button variant="ghost" icon={<LockKeyholeOpen size={16} aria-hidden />} onClick={() => setAsked('disable')}>
          {t('disable')}
        </Button>
      </div>
      {!reveal.data && <p className="text-sm text-muted">{t('audited')}</p>}
      {reveal.data && <Secret value={reveal.data.value} next={reveal.data.next_value} />}
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
    </div>
  );
}

/** A secret header field by which the origin knows our requests. */
export function LockCard({ route }: { route: Route }) {
  const t = useTranslations('origins.lock');
  const query = useQuery(originAccessOptions(route.id));
  const lock = query.data?.lock;
  return (
    <Card
      title={t('title')}
      description={t('body', { header: ORIGIN_KEY_HEADER })}
      actions={
        <>
          {lock && <Badge tone={tones[lock.state]}>{t(`state.${lock.state}`)}</Badge>}
          <EffectMark effect="at_once" />
          {lock?.state === 'off' && <EnableButton route={route} />}
        </>
      }
      flush
    >
      {!lock && query.isError && <ErrorState {...describeFailure(query.error)} onRetry={() => void query.refetch()} />}
      {!lock && !query.isError && <Skeleton className="mx-4 mb-4 h-9 w-40 sm:mx-5" />}
      {lock && <LockBody route={route} lock={lock} />}
    </Card>
  );
}
