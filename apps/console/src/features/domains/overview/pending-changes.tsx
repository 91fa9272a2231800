import { changedSettings, diffConfigs, type Route } from '@cordon/contract';
import { Check, Rocket, Undo2 } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { useWho } from '../../../app/who';
import { useChangedNames } from '../../../domain/changes/changed-names';
import { pluginDefaults } from '../../../domain/changes/plugin-defaults';
import type { DialogAction } from '../../../domain/model/dialog-action';
import { domainActions, isOperationRunning } from '../../../domain/model/domain-state';
import { Button } from '../../../ui/button';
import { useFormat } from '../../../ui/format';

/** Names that are told; the deploy's question tells all. */
const NAMED = 4;

/** What became of the draft, in the place that it had: what is below does not move. */
function Settled({ route }: { route: Route }) {
  const t = useTranslations('overview.pending');
  const version = route.version_live ?? 0;
  const isRunning = isOperationRunning(route);
  const Icon = isRunning ? Rocket : Check;
  return (
    <section
      aria-label={t('title')}
      className="flex items-center gap-2 rounded-card border border-line bg-card px-4 py-2"
    >
      <Icon size={18} aria-hidden className={isRunning ? 'text-muted' : 'text-success'} />
      <p role="status">{t(isRunning ? 'deploying' : 'live', { version })}</p>
    </section>
  );
}

/** The draft beside what is live: what changes, by whom, and the presses that deploy or discard it; then what became of it. */
export default function PendingChanges({ route, onAsk }: { route: Route; onAsk: (action: DialogAction) => void }) {
  const isPending = route.live !== null && route.pending_changes > 0;
  const box = useRef<HTMLDivElement>(null);
  const last = useRef({ version: route.version_live, height: 0 });
  useLayoutEffect(() => {
    if (!isPending) return;
    // Its buttons go while it is being deployed.
    const height = Math.max(last.current.height, box.current?.offsetHeight ?? 0);
    last.current = { version: route.version_live, height };
  });
  const { version, height } = last.current;
  // The notice that takes it back tells of a draft that was discarded.
  if (!isPending && route.version_live === version) return null;
  return (
    <div ref={box} className="grid" style={{ minHeight: height }}>
      {isPending ? <Pending route={route} onAsk={onAsk} /> : <Settled route={route} />}
    </div>
  );
}

function Pending({ route, onAsk }: { route: Route; onAsk: (action: DialogAction) => void }) {
  const t = useTranslations('overview.pending');
  const format = useFormat();
  const who = useWho();
  const namesOf = useChangedNames();
  const can = domainActions(route);
  const names = namesOf(changedSettings(diffConfigs(route.live, route.draft, pluginDefaults)));
  // Its words stay in one line.
  const time = format.relative(route.draft_updated_at).replaceAll(' ', '\u00a0');
  return (
    <section
      aria-label={t('title')}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border border-warning bg-warning-soft px-4 py-2"
    >
      <p className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <strong className="font-semibold text-warning">{t('count', { count: route.pending_changes })}</strong>{' '}
        {names.slice(0, NAMED).join(' · ')}
        {names.length > NAMED && ` ${t('more', { count: names.length - NAMED })}`}{' '}
        <span className="text-sm text-muted" title={format.dateTime(route.draft_updated_at)}>
          {route.draft_updated_by === null ? time : t('by', { who: who(route.draft_updated_by), time })}
        </span>
      </p>
      <span className="flex flex-wrap gap-2">
        {can.discard && (
          <Button size="sm" variant="ghost" icon={<Undo2 size={16} aria-hidden />} onClick={() => onAsk('discard')}>
            {t('discard')}
          </Button>
        )}
        {can.deploy && (
          <Button size="sm" onClick={() => onAsk('deploy')}>
            {t('review')}
          </Button>
        )}
      </span>
    </section>
  );
}
