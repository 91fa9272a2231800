import type { CallOutput, Operations } from '@cordon/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../../app/api-client';
import { describeFailure } from '../../../app/failure';
import { domainKeys } from '../../../domain/data/keys';
import { isOfBlocked, type RequestMatch } from '../../../domain/traffic/request-match';
import { pluginName, usePluginWords } from '../../../domain/words/plugin-words';
import { Badge, type Tone } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { useFormat } from '../../../ui/format';
import { ErrorState, Skeleton } from '../../../ui/states';
import { Link } from '../../../ui/text-link';

type LoggedRequest = CallOutput<Operations['listRecentRequests']>['result'][number];
const SHOWN = 8;
const SHOWN_OF_KIND = 50;

/** The last requests of a domain, of any kind or of one. */
const recentRequestsOptions = (id: string, limit: number, match?: RequestMatch) =>
  queryOptions({
    queryKey: domainKeys.recentRequests(id, limit, match),
    queryFn: async ({ signal }) => {
      const { status, country, plugin, reason } = match ?? {};
      const action = match && isOfBlocked(match) ? 'block' : 'all';
      const query = { route_id: id, limit, action, status, country, plugin, reason } as const;
      return (await api.listRecentRequests({ query, signal })).result;
    },
    refetchInterval: 3000,
  });

const statusTone = (status: number): Tone => (status >= 500 ? 'danger' : status >= 400 ? 'warning' : 'neutral');

/** Answered by a page that says so, instead of the site. */
const isOff = (request: LoggedRequest): request is LoggedRequest & { reason: 'deactivated' | 'suspended' } =>
  request.plugin === '' && (request.reason === 'deactivated' || request.reason === 'suspended');

function Line({ request, routeId }: { request: LoggedRequest; routeId: string }) {
  const t = useTranslations('domain.requests');
  const format = useFormat();
  const words = usePluginWords();
  const plugin = request.plugin !== '' && words ? words(request.plugin) : undefined;
  const reasonKey = `reasons.${request.reason}`;
  const isToday = format.date(request.time) === format.date(Date.now());
  const path = `${request.path}${request.query === '' ? '' : `?${request.query}`}`;
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-0.5 px-4 py-1.5 sm:px-5">
      <Badge tone={statusTone(request.status)} className="tabular">
        {request.status}
      </Badge>
      <span className="min-w-0 flex-1 basis-64 truncate font-mono text-sm" title={`${request.method} ${path}`}>
        <span className="text-muted">{request.method}</span> {path}
      </span>
      <span className="min-w-0 flex-1 basis-64 text-sm text-muted wrap-anywhere">
        {request.client_address}
        {request.country !== '' && <> · {format.country(request.country)}</>}
        {request.duration_ms > 0 && <> · {format.duration(Math.round(request.duration_ms))}</>}
        {' · '}
        <Link
          to="/domain/list/$id"
          params={{ id: routeId }}
          search={{ tab: 'diagnosis', view: 'trace', request: request.request_id }}
        >
          {t('trace')}
        </Link>
        {request.action === 'redirect' && plugin && <> · {pluginName(plugin, request.plugin)}</>}
        {isOff(request) && <> · {t(`off.${request.reason}`)}</>}
        {request.action === 'block' && (
          <span className="text-danger">
            {' · '}
            {plugin?.has(reasonKey)
              ? t('blockedWhy', { plugin: pluginName(plugin, request.plugin), reason: plugin(reasonKey) })
              : t('blocked', { plugin: plugin ? pluginName(plugin, request.plugin) : t('edge') })}
          </span>
        )}
      </span>
      <time
        dateTime={request.time}
        title={format.dateTime(request.time)}
        className="tabular text-sm whitespace-nowrap text-muted"
      >
        {isToday ? format.time(request.time, true) : format.dateTime(request.time)}
      </time>
    </li>
  );
}

/** What was there when the pointer or the focus came: a line stays where one reaches for it. */
function useHeldRequests(current: readonly LoggedRequest[] | undefined) {
  const [held, setHeld] = useState<readonly LoggedRequest[]>();
  const known = new Set(held?.map((one) => one.request_id));
  return {
    shown: held ?? current,
    fresh: held && current ? current.filter((one) => !known.has(one.request_id)).length : 0,
    hold: () => setHeld((before) => before ?? current),
    release: () => setHeld(undefined),
    catchUp: () => setHeld(current),
  };
}

interface RecentRequestsProps {
  routeId: string;
  /** Only requests of a kind, its name (none for more of all), and what takes the card away again. */
  only?: { match: RequestMatch; text: string | undefined; onRemove: () => void };
}

/** The last requests as they come in, still while one reads them: what was asked, what was answered, what was kept away and why. */
export function RecentRequests({ routeId, only }: RecentRequestsProps) {
  const t = useTranslations('domain.requests');
  const limit = only ? SHOWN_OF_KIND : SHOWN;
  const query = useQuery(recentRequestsOptions(routeId, limit, only?.match));
  const { shown, fresh, hold, release, catchUp } = useHeldRequests(query.data);
  return (
    <Card
      title={only?.text === undefined ? t('title') : t('of', { kind: only.text })}
      actions={
        <>
          <Button size="sm" className={fresh === 0 ? 'invisible' : undefined} onClick={catchUp}>
            {fresh === limit ? t('freshMany', { count: fresh }) : t('fresh', { count: fresh })}
          </Button>
          {only && (
            <Button size="sm" icon={<X size={14} aria-hidden />} onClick={only.onRemove}>
              {t('removeKind')}
            </Button>
          )}
        </>
      }
      flush
      onMouseEnter={hold}
      onMouseLeave={release}
      onFocus={hold}
      onBlur={({ currentTarget, relatedTarget }) => currentTarget.contains(relatedTarget) || release()}
    >
      {shown === undefined ? (
        query.isError ? (
          <ErrorState
            {...describeFailure(query.error)}
            onRetry={() => void query.refetch()}
            isRetrying={query.isFetching}
            className="py-6!"
          />
        ) : (
          <div className="flex flex-col gap-3 px-4 pb-5 sm:px-5">
            {[0, 1, 2].map((index) => (
              <Skeleton key={index} className="h-9 w-full" />
            ))}
          </div>
        )
      ) : shown.length === 0 ? (
        <p className="px-4 pb-5 text-muted sm:px-5">{t(only ? 'emptyOf' : 'empty')}</p>
      ) : (
        <ul className="divide-y divide-line border-t border-line">
          {shown.map((request) => (
            <Line key={request.request_id} request={request} routeId={routeId} />
          ))}
        </ul>
      )}
    </Card>
  );
}
