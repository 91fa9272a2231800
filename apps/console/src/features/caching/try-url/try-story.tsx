import type { CacheTry } from '@cordon/contract';
import { areaOf } from '@cordon/plugins/areas';
import clsx from 'clsx';
import { Check, CircleSlash, CornerDownRight, ShieldAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { pluginName, usePluginWords } from '../../../domain/words/plugin-words';
import { useListed } from '../../../domain/words/use-listed';
import { joinSentences } from '../../../ui/sentences';
import { Link } from '../../../ui/text-link';
import { useCostWords } from '../cache-figures/cost-words';
import { useSpan } from './use-span';

interface LineProps {
  title: string;
  isGood?: boolean;
  Icon: typeof Check;
  children: ReactNode;
}

/** One step of the story: what it is about, and how it goes. */
function Line({ title, isGood = true, Icon, children }: LineProps) {
  return (
    <li className="flex gap-3">
      <span
        className={clsx(
          'mt-0.5 grid size-6 shrink-0 place-items-center rounded-full',
          isGood ? 'bg-success-soft text-success' : 'bg-warning-soft text-warning',
        )}
      >
        <Icon size={14} aria-hidden />
      </span>
      <div className="min-w-0 flex-1">
        <h3 className="text-sm text-muted">{title}</h3>
        <div className="wrap-anywhere">{children}</div>
      </div>
    </li>
  );
}

/** Whose name a plugin has; a console that is older than the API knows no other. */
function usePluginName(): (plugin: string) => string {
  const wordsOf = usePluginWords();
  return (plugin) => (wordsOf ? pluginName(wordsOf(plugin), plugin) : plugin);
}

const EDGE_REASONS = ['not_verified', 'unknown_host', 'bad_request', 'loop'] as const;

function Before({ routeId, result: { before, is_paused } }: { routeId: string; result: CacheTry }) {
  const t = useTranslations('caching.tryUrl.before');
  const nameOf = usePluginName();
  const { outcome, plugin, status, location } = before;
  const known = EDGE_REASONS.find((reason) => reason === before.reason);
  const values = { plugin: nameOf(plugin), status: status ?? 0, location };
  const byPlugin = {
    block: () => t('block', values),
    challenge: () => t('challenge', values),
    redirect: () => t('redirect', values),
  };
  const said =
    outcome === 'pass'
      ? t(is_paused ? 'passPaused' : 'pass')
      : plugin === ''
        ? t(`edge.${known ?? 'other'}`)
        : byPlugin[outcome]();
  return (
    <Line
      title={t('title')}
      isGood={outcome === 'pass'}
      Icon={outcome === 'redirect' ? CornerDownRight : outcome === 'pass' ? Check : ShieldAlert}
    >
      {said}{' '}
      {outcome !== 'pass' && (
        <Link
          to="/domain/list/$id"
          params={{ id: routeId }}
          search={plugin === '' ? { tab: 'diagnosis' } : { tab: areaOf[plugin], edit: plugin }}
          className="reach text-sm"
        >
          {t(plugin === '' ? 'diagnose' : 'edit')}
        </Link>
      )}
    </Line>
  );
}

/** Whether the cache is asked; else nothing is kept. */
export const isLookedFor = (result: CacheTry): result is CacheTry & { plugin: string } =>
  result.plugin !== null && result.bypass === null;

function InCache({ result }: { result: CacheTry }) {
  const t = useTranslations('caching.tryUrl.cache');
  const nameOf = usePluginName();
  const costWords = useCostWords();
  if (isLookedFor(result))
    return (
      <Line title={t('title')} Icon={Check}>
        {t('looked', { plugin: nameOf(result.plugin) })}
      </Line>
    );
  const { plugin, bypass } = result;
  const { why, advice } = costWords({
    cache: '',
    cache_reason: plugin === null ? 'uncached' : (bypass ?? ''),
    status: 0,
  });
  return (
    <Line title={t('title')} isGood={false} Icon={CircleSlash}>
      {t('passed', { why })} {advice !== undefined && <span className="text-muted">{advice}</span>}
    </Line>
  );
}

/** What makes another copy, and what does not. */
function Key({ result: { key, request } }: { result: CacheTry }) {
  const t = useTranslations('caching.tryUrl.key');
  const tDevice = useTranslations('caching.tryUrl.devices');
  const listed = useListed();
  if (key === null) return null;
  const { query, left_out, device, language, is_sliced } = key;
  const address = `${request.scheme}://${request.host}${request.path}${query === '' ? '' : `?${query}`}`;
  return (
    <Line title={t('title')} Icon={Check}>
      <p className="font-mono text-sm">{address}</p>
      <p className="text-sm text-muted">
        {joinSentences([
          left_out.length > 0 && t('leftOut', { arguments: listed(left_out) }),
          device !== null && t('device', { device: tDevice(device) }),
          language !== null && t('language', { language }),
          t('encodings'),
          is_sliced && t('sliced'),
        ])}
      </p>
    </Line>
  );
}

/** For how long answers are kept, by the settings and by what their origin says. */
function Kept({ result: { policy } }: { result: CacheTry }) {
  const t = useTranslations('caching.tryUrl.kept');
  const span = useSpan();
  const listed = useListed();
  if (policy === null) return null;
  const seconds = span(policy.default_seconds);
  const statuses = listed(policy.default_statuses.map(String));
  const types = policy.default_types.length > 0 ? listed(policy.default_types) : '';
  const limits = { seconds, statuses, types: types === '' ? 'all' : types };
  const hasDefault = policy.default_seconds > 0 && policy.default_statuses.length > 0;
  const isForced = policy.is_default_forced && hasDefault;
  const byDirectives = policy.cache_control !== '' && { directives: policy.cache_control };
  return (
    <Line title={t('title')} Icon={Check}>
      <p>
        {joinSentences([
          byDirectives && t(policy.overrides_cache_control ? 'overridden' : 'added', byDirectives),
          isForced && t('forced', limits),
          !isForced && !(byDirectives && policy.overrides_cache_control) && t('stated'),
          !isForced && hasDefault && t('default', limits),
          t(isForced ? 'others' : hasDefault ? 'heuristic' : 'noDefault'),
        ])}
      </p>
      <p className="text-sm text-muted">
        {joinSentences([
          !(byDirectives && policy.overrides_cache_control) && t('never'),
          policy.obeys_requests && t('obeys'),
          policy.stale_if_error_seconds > 0 && t('staleIfError', { time: span(policy.stale_if_error_seconds) }),
        ])}
      </p>
    </Line>
  );
}

/** What happens to a request for the URL, in the order in which it does. */
export function TryStory({ routeId, result }: { routeId: string; result: CacheTry }) {
  const t = useTranslations('caching.tryUrl');
  const isLooked = isLookedFor(result);
  return (
    <ol aria-label={t('story')} className="flex flex-col gap-3 rounded-control bg-sunken p-4">
      <Before routeId={routeId} result={result} />
      <InCache result={result} />
      {isLooked && <Key result={result} />}
      {isLooked && <Kept result={result} />}
    </ol>
  );
}
