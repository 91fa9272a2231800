import { ApiError, type Route } from '@cordon/contract';
import type { PluginException } from '@cordon/plugin-kit';
import { ALLOWED_FEED, BANS_FEED } from '@cordon/plugin-kit/feeds';
import { feedsOf } from '@cordon/plugins/areas';
import { definitions, findDefinition } from '@cordon/plugins/definitions';
import { ShieldOff } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { notifyFailure } from '../../../app/failure';
import { isStale } from '../../../domain/data/use-saves';
import { useUpdateRoute } from '../../../domain/data/use-update-route';
import { parseConfig } from '../../../domain/model/parse-config';
import { entryOf } from '../../../domain/model/plugin-state';
import { usePluginWords } from '../../../domain/words/plugin-words';
import { Button } from '../../../ui/button';
import { notify } from '../../../ui/notices';
import { Link } from '../../../ui/text-link';
import { BanWays } from './ban-ways';
import type { LoggedRequest } from './trace-values';

interface Way extends PluginException {
  /** Whose configuration it changes. */
  readonly plugin: string;
}

/** How the request could pass, by the settings of the draft: the plugin that stopped it, or by one before that. */
function waysOf(route: Route, logged: LoggedRequest): readonly Way[] {
  const { path, client_address: address, reason, rule } = logged;
  const stopping = findDefinition(logged.plugin);
  // In the order of the pipeline.
  const before = stopping && address ? definitions.slice(0, definitions.indexOf(stopping)) : [];
  return [...(stopping ? [stopping] : []), ...before].flatMap((definition) => {
    const { enabled, config } = entryOf(route.draft, definition);
    const parsed = parseConfig(definition, config);
    if (!parsed.success) return [];
    const request = { path, address, reason, rule };
    const ways =
      definition === stopping
        ? definition.exceptions?.(parsed.data, request)
        : definition.letsPass?.({ enabled, config: parsed.data }, request);
    return (ways ?? []).map((way) => ({ ...way, plugin: definition.name }));
  });
}

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
  onDeploy: () => void;
}

/** Ways to let a stopped request pass, the narrowest first: each is one press, and a change of the draft. */
export default function Exceptions({ route, logged, onDeploy, onInstant }: ExceptionsProps) {
  const t = useTranslations('diagnosis.trace.exceptions');
  const words = usePluginWords();
  const update = useUpdateRoute(route.id);
  const [saved, setSaved] = useState<{ readonly what: string; readonly revision: number }>();
  const [saving, setSaving] = useState<Way>();
  const ways = waysOf(route, logged);
  const atOnce = (
    <>
      {feedsOf[logged.plugin]?.includes(BANS_FEED) && (
        <BanWays route={route} address={logged.client_address} onChange={onInstant} />
      )}
      {logged.client_address !== '' && isAllowListOn(route) && <AllowLink address={logged.client_address} />}
    </>
  );
  if (!words) return null;
  if (ways.length === 0 && saved === undefined) return atOnce;

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

  const isLive = saved && route.draft_revision >= saved.revision && route.pending_changes === 0;
  if (isLive && route.version_live !== null)
    return (
      <p role="status" className="mt-3 text-sm wrap-anywhere">
        {t('live', { what: saved.what, version: route.version_live })}
      </p>
    );
  if (saved !== undefined)
    return (
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <p role="status" className="min-w-0 text-sm wrap-anywhere">
          {t('saved', { what: saved.what })}
        </p>
        <Button size="sm" variant="primary" onClick={onDeploy}>
          {t('deploy')}
        </Button>
      </div>
    );
  return (
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
      {atOnce}
    </div>
  );
}
