import type { PrefetchList, Route } from '@cordon/contract';
import { PREFETCH_LIST_URLS_MAX } from '@cordon/contract/cache-targets';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../../app/failure';
import { Callout } from '../../../domain/form/callout';
import { Button } from '../../../ui/button';
import { Checkbox } from '../../../ui/checkbox';
import { useFormat } from '../../../ui/format';
import { ErrorState, Skeleton } from '../../../ui/states';
import { useCacheDoer } from '../use-cache-doer';
import { useKept } from '../use-kept';
import { useLeadToRefusal } from '../use-lead-to-refusal';
import { usePrefetchWords } from './prefetch-words';
import { prefetchListOptions, useSavePrefetchList } from './queries';
import { UrlLines, useUrlLines } from './url-lines';

/** Why the last deploy was not followed by it. */
function Skipped({ skipped }: { skipped: NonNullable<PrefetchList['skipped']> }) {
  const t = useTranslations('caching.prefetch');
  const words = usePrefetchWords();
  const format = useFormat();
  return (
    <Callout tone="warning">
      {t('list.skipped', {
        version: skipped.version,
        time: format.dateTime(skipped.at),
        reason: words(skipped.code, skipped.params),
      })}
    </Callout>
  );
}

/** Nothing may be lost: the text is that of the stored list until it is changed. */
function ListFields({ route, list }: { route: Route; list: PrefetchList }) {
  const t = useTranslations('caching.prefetch');
  const format = useFormat();
  const whoOf = useCacheDoer();
  const stored = list.urls.join('\n');
  const [changed, setChanged] = useKept<{ text: string; isAfterDeploy: boolean } | undefined>(
    route.id,
    'prefetch list',
    undefined,
  );
  // Who has no list yet, and writes one, wants it fetched.
  const { text, isAfterDeploy } = changed ?? {
    text: stored,
    isAfterDeploy: list.after_deploy || list.urls.length === 0,
  };
  const save = useSavePrefetchList(route.id);
  const form = useRef<HTMLFormElement>(null);
  const leadToError = useLeadToRefusal(form, save.error);
  const lines = useUrlLines(
    {
      ...{ route, maximum: PREFETCH_LIST_URLS_MAX, isNeeded: false, error: save.error, asked: save.variables?.urls },
      stored,
    },
    text,
  );
  const change = (part: Partial<typeof changed>) => setChanged({ text, isAfterDeploy, ...part });
  const submit = () => {
    if (changed === undefined) return;
    lines.setTried(true);
    if (save.isPending) return;
    if (!lines.isRight) return leadToError();
    save
      .mutateAsync({ urls: lines.urls, after_deploy: isAfterDeploy && lines.urls.length > 0 })
      .then(() => setChanged(undefined))
      .catch(() => undefined);
  };
  const isSaved = save.isSuccess && changed === undefined;
  return (
    <form
      ref={form}
      noValidate
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {list.skipped && <Skipped skipped={list.skipped} />}
      <UrlLines
        label={t('list.urls')}
        route={route}
        maximum={PREFETCH_LIST_URLS_MAX}
        text={text}
        error={lines.error}
        rows={3}
        onChange={(next) => change({ text: next })}
      />
      <Checkbox
        label={t('list.afterDeploy')}
        hint={t('list.afterDeployHint')}
        checked={isAfterDeploy}
        onChange={(event) => change({ isAfterDeploy: event.target.checked })}
      />
      {lines.failed.map((reason) => (
        <p key={reason} role="alert" className="text-sm text-danger">
          {reason}
        </p>
      ))}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" loading={save.isPending} aria-disabled={changed === undefined}>
          {t('list.save')}
        </Button>
        <span role="status" className="text-sm text-muted wrap-anywhere">
          {isSaved
            ? t('list.saved')
            : list.updated_at !== null &&
              t('list.when', { time: format.dateTime(list.updated_at), who: whoOf(list.updated_by ?? '') })}
        </span>
      </div>
    </form>
  );
}

/** The list that is fetched by itself. */
export function PrefetchListForm({ route }: { route: Route }) {
  const { data, error, isLoadingError, isFetching, refetch } = useQuery(prefetchListOptions(route.id));
  if (isLoadingError)
    return (
      <ErrorState
        {...describeFailure(error)}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
        className="py-4!"
      />
    );
  return data ? <ListFields route={route} list={data} /> : <Skeleton className="h-32 w-full" />;
}
