import { ApiError, type Route } from '@cordon/contract';
import { sentPathOf } from '@cordon/contract/sent-path';
import { isProtectionPhase, type PluginException } from '@cordon/plugin-kit';
import { ALLOWED_FEED, BANS_FEED } from '@cordon/plugin-kit/feeds';
import { readingsOfPath } from '@cordon/plugin-kit/request-path';
import { feedsOf } from '@cordon/plugins/areas';
import { definitions, findDefinition } from '@cordon/plugins/definitions';
import { ShieldOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { notifyFailure } from '../../../app/failure';
import { isStale } from '../../../domain/data/use-saves';
import { useUpdateRoute } from '../../../domain/data/use-update-route';
import { parseConfig } from '../../../domain/model/parse-config';
import { entryOf } from '../../../domain/model/plugin-state';
import { pluginName, usePluginWords } from '../../../domain/words/plugin-words';
import { Button } from '../../../ui/button';
import { useFormat } from '../../../ui/format';
import { notify } from '../../../ui/notices';
import { Link } from '../../../ui/text-link';
import { BanWays } from './ban-ways';
import type { LoggedRequest } from './trace-values';

interface Way extends PluginException {
  /** Whose configuration it changes. */
  readonly plugin: string;
}

/** What origins may take its path for; empty where the log has left something out of it, or could not hold its bytes. */
function pathsOf(logged: LoggedRequest): readonly string[] {
  const sent = sentPathOf(logged);
  return sent === undefined || /REDACTED|\ufffd/.test(logged.path) ? [] : readingsOfPath(logged.path, sent);
}

/** How the request could pass, by the settings of the draft: the plugin that stopped it, or by one before that. */
function waysOf(route: Route, logged: LoggedRequest): readonly Way[] {
  const { client_address: address, reason, rule } = logged;
  const stopping = findDefinition(logged.plugin);
  // In the order of the pipeline.
  const before = stopping && address ? definitions.slice(0, definitions.indexOf(stopping)) : [];
  return [...(stopping ? [stopping] : []), ...before].flatMap((definition) => {
    const { enabled, config } = entryOf(route.draft, definition);
    const parsed = parseConfig(definition, config);
    if (!parsed.success) return [];
    const request = { paths: pathsOf(logged), address, reason, rule };
    const ways =
      definition === stopping
        ? definition.exceptions?.(parsed.data, request)
        : definition.letsPass?.({ enabled, config: parsed.data }, request);
    const fitting = (ways ?? []).filter(
      (way) => way.isOff || parseConfig(definition, way.config as typeof config).success,
    );
    return fitting.map((way) => ({ ...way, plugin: definition.name }));
  });
}

/** Protection that the draft runs behind the plugin that lets the request pass, but the one that stopped it: it is skipped as well. */
const alsoSkipped = (route: Route, ways: readonly Way[], stopping: string): readonly string[] => {
  const from = definitions.findIndex(({ name }) => name !== stopping && ways.some(({ plugin }) => plugin === name));
  return from < 0
    ? []
    : definitions
        .slice(from + 1)
        .filter((one) => one.name !== stopping && isProtectionPhase(one.phase) && entryOf(route.draft, one).enabled)
        .map(({ name }) => name);
};

/** Whether the account's allow list lets past what the domain protects. */
const isAllowListOn = (route: Route): boolean =>
  definitions.some(
    (definition) => definition.feeds?.includes(ALLOWED_FEED) && entryOf(route.draft, definition).enabled,
  );

/** Where an address is let past all protection, on all domains and at once. */
function AllowLink({ address }: { address: string }) {
  const t = useTranslations('diagnosis.trace.exceptions');
  return (
    <p className="mt-3 text-sm">
      <Link to="/manage-ip" search={{ tab: 'allowed', add: true, address }} className="reach font-medium">
        {t('allow', { address })}
      </Link>{' '}
      <span className="text-muted">{t('allowEffect')}</span>
    </p>
  );
}

interface ExceptionsProps {
  /** Something was changed that is live at once. */
  onInstant: () => void;
  route: Route;
  logged: LoggedRequest;
  /** A ban keeps its client out by now, whatever stopped it then. */
  isBanned?: boolean;
  onDeploy: () => void;
}

/** Ways to let a stopped request pass: the end of its ban, at once; then, the narrowest first, changes of the draft, each at one press. */
export default function Exceptions({ route, logged, isBanned, onDeploy, onInstant }: ExceptionsProps) {
  const t = useTranslations('diagnosis.trace.exceptions');
  const format = useFormat();
  const words = usePluginWords();
  const update = useUpdateRoute(route.id);
  const [saved, setSaved] = useState<{ readonly what: string; readonly revision: number }>();
  const [saving, setSaving] = useState<Way>();
  const said = useRef<HTMLParagraphElement>(null);
  // What can be taken back stays, also where the ban is over by it.
  const wasBanned = useRef(false);
  if (isBanned || feedsOf[logged.plugin]?.includes(BANS_FEED)) wasBanned.current = true;
  const isLive = saved !== undefined && route.draft_revision >= saved.revision && route.pending_changes === 0;
  // The button that had the focus is gone.
  useEffect(() => {
    if (saved) said.current?.focus({ preventScroll: true });
  }, [saved]);
  const ways = waysOf(route, logged);
  if (!words) return null;

  async function save(way: Way) {
    const definition = findDefinition(way.plugin);
    if (!definition || !words) return;
    const entry = entryOf(route.draft, definition);
    const enabled = way.plugin === logged.plugin ? entry.enabled : true;
    const changed = way.isOff
      ? { ...entry, enabled: false }
      : { ...entry, enabled, config: way.config as typeof entry.config };
    setSaving(way);
    try {
      const { draft_revision } = await update.mutateAsync({ upon: route, body: { plugins: [changed] } });
      setSaved({ what: words(way.plugin)(way.message, way.params), revision: draft_revision });
    } catch (error) {
      if (error instanceof ApiError && isStale(error)) notify({ tone: 'warning', title: t('stale') });
      else notifyFailure(error, () => void save(way));
    } finally {
      setSaving(undefined);
    }
  }

  const skipped = alsoSkipped(route, ways, logged.plugin);
  const version = isLive ? route.version_live : null;
  return (
    <>
      {wasBanned.current && <BanWays route={route} logged={logged} onChange={onInstant} />}
      {saved !== undefined && (
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <p ref={said} role="status" tabIndex={-1} className="min-w-0 text-sm wrap-anywhere outline-none">
            {version === null ? t('saved', { what: saved.what }) : t('live', { what: saved.what, version })}
          </p>
          {version === null && (
            <Button size="sm" variant="primary" onClick={onDeploy}>
              {t('deploy')}
            </Button>
          )}
        </div>
      )}
      {saved === undefined && ways.length > 0 && (
        <div className="mt-3">
          <p className="mb-1 text-sm text-muted">{t('title')}</p>
          <ul className="flex flex-wrap gap-2">
            {ways.map((way) => (
              <li key={way.message}>
                <Button
                  size="sm"
                  className="min-h-8 py-1 text-left touch:min-h-10"
                  // What it lets in is said whole, in several lines on a phone.
                  style={{ height: 'auto', whiteSpace: 'normal' }}
                  icon={<ShieldOff size={16} className="shrink-0" aria-hidden />}
                  loading={saving === way}
                  disabled={update.isPending || route.operation?.state === 'running'}
                  onClick={() => void save(way)}
                >
                  <span className="wrap-anywhere">{words(way.plugin)(way.message, way.params)}</span>
                </Button>
              </li>
            ))}
          </ul>
          {skipped.length > 0 && (
            <p className="mt-1 text-sm text-muted">
              {t('alsoSkipped', { plugins: format.list(skipped.map((name) => pluginName(words(name), name))) })}
            </p>
          )}
        </div>
      )}
      {saved === undefined && logged.client_address !== '' && isAllowListOn(route) && (
        <AllowLink address={logged.client_address} />
      )}
    </>
  );
}
