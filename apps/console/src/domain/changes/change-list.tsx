import { type ConfigChange, diffConfigs, type PluginListCounts, type RouteConfig } from '@cordon/contract';
import { findDefinition } from '@cordon/plugins/definitions';
import clsx from 'clsx';
import { Fragment, useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { Skeleton } from '../../ui/states';
import { pluginSummary } from '../words/plugin-summary';
import { pluginName, usePluginWords } from '../words/plugin-words';
import { BeforeAfter } from './before-after';
import { ChangeBody } from './change-body';
import { pluginDefaults } from './plugin-defaults';

/** Names and labels, and beside them what changes. */
const columns = 'grid gap-x-4 sm:grid-cols-[minmax(0,9.5rem)_1fr]';

type Switched = ConfigChange & { plugin: string; change: { kind: 'value'; before: boolean; after: boolean } };

const isSwitched = (one: ConfigChange): one is Switched =>
  one.plugin !== undefined && one.field === 'enabled' && one.change.kind === 'value' && one.change.before !== undefined;

/** What every new form of a plugin that is switched starts with was not chosen: the summary says it. */
function isStart({ plugin, field, change }: ConfigChange, isOn: boolean | undefined): boolean {
  if (plugin === undefined || isOn === undefined || change.kind !== 'value') return false;
  const start: Readonly<Record<string, unknown>> = findDefinition(plugin)?.start ?? {};
  return field in start && start[field] === (isOn ? change.after : change.before);
}

/** Of one that is switched on, what its settings are: what held while nothing was set up, nobody set. */
function withoutDefaults(one: ConfigChange, before: RouteConfig | null, isOn: boolean | undefined): ConfigChange {
  if (one.change.kind !== 'value' || isOn !== true || before?.plugins.some(({ name }) => name === one.plugin))
    return one;
  return { ...one, change: { ...one.change, before: undefined } };
}

/** A plugin that is switched on or off, with what it does while it is on: its defaults, too, hit visitors. */
function SwitchedPlugin({
  switched: { plugin, change },
  before,
  after,
}: {
  switched: Switched;
  before: RouteConfig | null;
  after: RouteConfig;
}) {
  const t = useTranslations('domain.changes');
  const words = usePluginWords();
  const definition = findDefinition(plugin);
  const say = (isOn: boolean, from: RouteConfig | null) => {
    if (!isOn) return t('off');
    const config = from?.plugins.find(({ name }) => name === plugin)?.config ?? pluginDefaults(plugin).config;
    return (words && definition && pluginSummary(words(plugin), definition, config)) ?? t('on');
  };
  return <BeforeAfter before={say(change.before, before)} after={say(change.after, after)} />;
}

/** What `after` changes compared to `before`, in people's words, grouped by what it belongs to. */
export function ChangeList({
  before,
  after,
  lists = [],
  onShown,
}: {
  before: RouteConfig | null;
  after: RouteConfig;
  /** Of lists that were not sent whole. */
  lists?: readonly PluginListCounts[];
  /** Called once it shows what changes: until then there is nothing to agree to. */
  onShown?: (isShown: true) => void;
}) {
  const t = useTranslations('domain.changes');
  const words = usePluginWords();
  const changes = diffConfigs(before, after, pluginDefaults);
  const groups = [...new Set(changes.map((change) => change.plugin))];
  const isWaiting = !words && groups.some((group) => group !== undefined);
  useEffect(() => {
    if (!isWaiting) onShown?.(true);
  }, [isWaiting, onShown]);
  if (changes.length === 0) return <p className="text-muted">{t('none')}</p>;
  const switched = new Map(changes.filter(isSwitched).map(({ plugin, change }) => [plugin, change.after]));
  if (isWaiting) return <Skeleton className="h-20 w-full" />;
  const nameOf = (plugin: string) => (words ? pluginName(words(plugin), plugin) : plugin);
  const fieldLabel = ({ plugin, field }: ConfigChange): string => {
    if (plugin === undefined) {
      const key = `field.${field}` as 'field.targets';
      return t.has(key) ? t(key) : field;
    }
    if (field === 'enabled') return t('field.enabled');
    const key = `fields.${field}.label`;
    return words?.(plugin).has(key) ? words(plugin)(key) : field;
  };
  const rowsOf = (group: string | undefined) =>
    changes.filter(
      (change) => change.plugin === group && !isSwitched(change) && !isStart(change, switched.get(group ?? '')),
    );
  const switchOf = (group: string | undefined) => changes.find((one) => one.plugin === group && isSwitched(one));
  return (
    <div className="divide-y divide-line rounded-control border border-line">
      {groups.map((group) => {
        const rows = rowsOf(group);
        const switching = switchOf(group);
        return (
          <section key={group ?? ''}>
            <div className={clsx(columns, 'bg-sunken/60 px-4 py-2')}>
              <h3 className="font-medium">{group === undefined ? t('own') : nameOf(group)}</h3>
              {switching && isSwitched(switching) && (
                <p className="min-w-0">
                  <SwitchedPlugin switched={switching} before={before} after={after} />
                </p>
              )}
            </div>
            {rows.length > 0 && (
              <dl className={clsx(columns, 'gap-y-1 px-4 py-2 sm:gap-y-1.5')}>
                {rows.map((change) => (
                  <Fragment key={change.field}>
                    <dt className="text-muted">{fieldLabel(change)}</dt>
                    <dd className="min-w-0 phone:mb-2">
                      <ChangeBody
                        change={withoutDefaults(change, before, switched.get(change.plugin ?? ''))}
                        before={before}
                        after={after}
                        counts={lists.find(({ plugin, path }) => plugin === change.plugin && path === change.field)}
                      />
                    </dd>
                  </Fragment>
                ))}
              </dl>
            )}
          </section>
        );
      })}
    </div>
  );
}
