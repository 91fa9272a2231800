import type { Route } from '@cordon/contract';
import { PREFETCH_URLS_MAX } from '@cordon/contract/cache-targets';
import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/button';
import { Checkbox } from '../../../ui/checkbox';
import { CurlLine } from '../curl-line';
import { useKept } from '../use-kept';
import { useLeadToRefusal } from '../use-lead-to-refusal';
import { useStartPrefetch } from './queries';
import { UrlLines, useUrlLines } from './url-lines';

/** Which URLs are to be fetched now. */
export function PrefetchForm({ route, onStarted }: { route: Route; onStarted: (id: string) => void }) {
  const t = useTranslations('caching.prefetch');
  const [text, setText] = useKept(route.id, 'prefetch', '');
  const [refresh, setRefresh] = useKept(route.id, 'prefetch refresh', false);
  const start = useStartPrefetch(route.id);
  const form = useRef<HTMLFormElement>(null);
  const leadToError = useLeadToRefusal(form, start.error);
  const lines = useUrlLines(
    { route, maximum: PREFETCH_URLS_MAX, isNeeded: true, error: start.error, asked: start.variables?.urls },
    text,
  );
  const body = { urls: lines.urls, ...(refresh ? { refresh } : {}) };
  const submit = () => {
    lines.setTried(true);
    if (start.isPending) return;
    if (!lines.isRight) return leadToError();
    start
      .mutateAsync(body)
      .then(({ id }) => {
        setText('');
        lines.setTried(false);
        onStarted(id);
      })
      .catch(() => undefined);
  };
  return (
    <form
      ref={form}
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <UrlLines
        label={t('urls')}
        route={route}
        maximum={PREFETCH_URLS_MAX}
        text={text}
        error={lines.error}
        rows={4}
        onChange={setText}
      />
      <Checkbox
        label={t('refresh')}
        hint={t('refreshHint')}
        checked={refresh}
        onChange={(event) => setRefresh(event.target.checked)}
      />
      {lines.failed.map((reason) => (
        <p key={reason} role="alert" className="text-sm text-danger">
          {reason}
        </p>
      ))}
      <div>
        <Button type="submit" variant="primary" loading={start.isPending}>
          {t('start')}
        </Button>
      </div>
      <CurlLine routeId={route.id} call="prefetch" body={body} />
    </form>
  );
}
