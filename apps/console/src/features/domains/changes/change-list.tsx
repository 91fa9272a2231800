import type { RouteConfig, UpstreamTarget } from '@cordon/contract';
import { schemaDefaults } from '@cordon/plugin-kit/schema';
import { findDefinition } from '@cordon/plugins/definitions';
import { ArrowRight } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Skeleton } from '../../../ui/states';
import { type ConfigChange, diffConfigs } from '../model/config-diff';
import { pluginName, usePluginWords } from '../plugins/plugin-words';
import { useTargetText } from '../upstreams/use-target-text';

const ENTRIES_SHOWN = 8;

/** What a plugin starts with, so that switching it on names only what was chosen. */
export const pluginDefaults = (plugin: string): Record<string, unknown> => {
  const definition = findDefinition(plugin);
  return definition ? schemaDefaults(definition.schema) : {};
};

function Entry({ kind, children }: { kind: 'added' | 'removed'; children: ReactNode }) {
  const t = useTranslations('domains.changes');
  return (
    <li className="flex items-start gap-2">
      <span
        aria-hidden
        className={
          kind === 'added' ? 'w-3 text-center font-semibold text-success' : 'w-3 text-center font-semibold text-danger'
        }
      >
        {kind === 'added' ? '+' : '−'}
      </span>
      <span className="sr-only">{t(kind)}</span>
      <span className={kind === 'added' ? 'min-w-0 wrap-anywhere' : 'min-w-0 text-muted line-through wrap-anywhere'}>
        {children}
      </span>
    </li>
  );
}

function Entries({ kind, entries }: { kind: 'added' | 'removed'; entries: readonly string[] }) {
  const t = useTranslations('domains.changes');
  const shown = entries.slice(0, ENTRIES_SHOWN);
  const rest = entries.slice(ENTRIES_SHOWN);
  return (
    <>
      {shown.map((entry) => (
        <Entry key={entry} kind={kind}>
          <span className="font-mono text-sm">{entry}</span>
        </Entry>
      ))}
      {rest.length > 0 && (
        <li className="pl-5">
          <details>
            <summary className="text-sm text-primary-ink">{t(`more_${kind}`, { count: rest.length })}</summary>
            <ul>
              {rest.map((entry) => (
                <Entry key={entry} kind={kind}>
                  <span className="font-mono text-sm">{entry}</span>
                </Entry>
              ))}
            </ul>
          </details>
        </li>
      )}
    </>
  );
}

function BeforeAfter({ before, after }: { before: ReactNode; after: ReactNode }) {
  const t = useTranslations('domains.changes');
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 wrap-anywhere">
      {before !== undefined && (
        <>
          <span className="text-muted line-through">
            <span className="sr-only">{t('before')} </span>
            {before}
          </span>
          <ArrowRight size={14} className="text-muted" aria-hidden />
        </>
      )}
      <span className="font-medium">
        <span className="sr-only">{t('after')} </span>
        {after}
      </span>
    </span>
  );
}

/** A value as people say it; what has no words stays as it is written. */
function useValueText() {
  const t = useTranslations('domains');
  return ({ plugin, field, change: what }: ConfigChange, value: unknown): string | undefined => {
    if (value === undefined) return undefined;
    if (value === null || value === '') return t('changes.unset');
    if (plugin === undefined && field === 'traffic_action')
      return t(`upstreams.action.${value as 'upstream' | 'redirect'}`);
    if (plugin === undefined && field === 'protocol')
      return t(`upstreams.protocol.${value as 'http' | 'https' | 'http_https'}`);
    if (field === 'enabled' && what.kind === 'value' && what.before === undefined) return t('changes.setUpOff');
    if (typeof value === 'boolean') return t(value ? 'changes.on' : 'changes.off');
    if (Array.isArray(value) && value.length === 0) return t('changes.emptyList');
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  };
}

function ChangeBody({
  change,
  before,
  after,
}: {
  change: ConfigChange;
  before: RouteConfig | null;
  after: RouteConfig;
}) {
  const valueText = useValueText();
  const targetText = useTargetText();
  const { change: what } = change;
  if (what.kind === 'value')
    return (
      <BeforeAfter
        before={valueText(change, what.before)}
        after={valueText(change, what.after) ?? valueText(change, null)}
      />
    );
  if (what.kind === 'list') {
    return (
      <ul className="space-y-0.5">
        <Entries kind="added" entries={what.added} />
        <Entries kind="removed" entries={what.removed} />
      </ul>
    );
  }
  const fresh = (target: UpstreamTarget) =>
    targetText(target, after.upstreams.protocol, after.upstreams.targets.length > 1);
  const old = (target: UpstreamTarget) => targetText(target, before?.upstreams.protocol ?? after.upstreams.protocol);
  return (
    <ul className="space-y-0.5">
      <Entries kind="added" entries={what.added.map(fresh)} />
      <Entries kind="removed" entries={what.removed.map(old)} />
      {what.changed.map((one) => (
        <li key={one.after.host} className="pl-5 font-mono text-sm">
          <BeforeAfter before={old(one.before)} after={targetText(one.after, after.upstreams.protocol)} />
        </li>
      ))}
    </ul>
  );
}

/** What `after` changes compared to `before`, in people's words, grouped by what it belongs to. */
export function ChangeList({ before, after }: { before: RouteConfig | null; after: RouteConfig }) {
  const t = useTranslations('domains.changes');
  const words = usePluginWords();
  const changes = diffConfigs(before, after, pluginDefaults);
  if (changes.length === 0) return <p className="text-muted">{t('none')}</p>;
  const groups = [...new Set(changes.map((change) => change.plugin))];
  if (!words && groups.some((group) => group !== undefined)) return <Skeleton className="h-20 w-full" />;
  const nameOf = (plugin: string) => (words ? pluginName(words(plugin), plugin) : plugin);
  const fieldLabel = ({ plugin, field }: ConfigChange): string => {
    if (plugin === undefined) return t(`field.${field as 'traffic_action' | 'protocol' | 'targets'}`);
    if (field === 'enabled') return t('field.enabled');
    const key = `fields.${field}.label`;
    return words?.(plugin).has(key) ? words(plugin)(key) : field;
  };
  return (
    <div className="flex flex-col gap-4">
      {groups.map((group) => (
        <section key={group ?? ''} className="rounded-control border border-line">
          <h3 className="border-b border-line bg-sunken/60 px-4 py-2 font-medium">
            {group === undefined ? t('own') : nameOf(group)}
          </h3>
          <dl className="grid gap-x-4 gap-y-1 px-4 py-3 sm:grid-cols-[minmax(0,9.5rem)_1fr] sm:gap-y-2.5">
            {changes
              .filter((change) => change.plugin === group)
              .map((change) => (
                <Fragment key={change.field}>
                  <dt className="text-muted">{fieldLabel(change)}</dt>
                  <dd className="min-w-0 phone:mb-2">
                    <ChangeBody change={change} before={before} after={after} />
                  </dd>
                </Fragment>
              ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
