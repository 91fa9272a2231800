import { onlySwitchesOff, type PlanTier, type PluginEntry, type RuleLists } from '@cordon/contract';
import { areas } from '@cordon/plugins/areas';
import { definitions, findDefinition } from '@cordon/plugins/definitions';
import { Plus } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { startEntry } from '../../domain/plugins/start-entry';
import { pluginName, usePluginWords } from '../../domain/words/plugin-words';
import { Button } from '../../ui/button';
import { lazyPart } from '../../ui/lazy-part';
import { Menu } from '../../ui/menu';
import { Skeleton } from '../../ui/states';
import { RulePluginCard } from './rule-plugin-card';
import { withPlugin } from './rule-values';

const RulePluginSheet = lazyPart(() => import('./rule-plugin-sheet'));

interface RulePluginsProps {
  plugins: readonly PluginEntry[];
  lists: RuleLists;
  onChange: (plugins: PluginEntry[]) => void;
  /** One of them is open, with what is typed in it. */
  onEditing: (isEditing: boolean) => void;
  /** What is wrong, by plugin. */
  errors: Readonly<Record<string, readonly string[]>>;
  /** Nothing is chosen though something must be. */
  error: string | undefined;
  tier: PlanTier;
}

/** The plugins of a rule as cards, the sheet that sets one of them, and the menu that adds another. */
export function RulePlugins({ plugins, lists, onChange, onEditing, errors, error, tier }: RulePluginsProps) {
  const t = useTranslations('rules.editor');
  const tPlugin = useTranslations('domain.plugin');
  const tTab = useTranslations('domain.tab');
  const words = usePluginWords();
  const [edited, setEdited] = useState<{ entry: PluginEntry; opened: number; isOpen: boolean }>();
  const isEditing = edited?.isOpen === true;
  useEffect(() => onEditing(isEditing), [isEditing, onEditing]);
  if (!words) return <Skeleton className="h-16 w-full" />;
  const missing = definitions.filter(({ name }) => !plugins.some((entry) => entry.name === name));
  const edit = (entry: PluginEntry) =>
    setEdited((before) => ({ entry, opened: (before?.opened ?? 0) + 1, isOpen: true }));
  const add = missing.length > 0 && (
    <Menu
      // At the edge that it is not at, it would open over what stands beside.
      align={plugins.length === 0 ? 'start' : 'end'}
      trigger={
        <Button size="sm" icon={<Plus size={16} aria-hidden />}>
          {t('addPlugin')}
        </Button>
      }
      groups={() =>
        areas.flatMap((area) => {
          const items = missing
            .filter((definition) => definition.area === area)
            .map((definition) => {
              const isLocked = definition.tier === 'vip' && tier === 'free';
              return {
                id: definition.name,
                label: pluginName(words(definition.name), definition.name),
                ...(isLocked && { description: tPlugin('needsVip') }),
                disabled: isLocked,
                onSelect: () => edit(startEntry(definition, words(definition.name))),
              };
            });
          return items.length > 0 ? [{ label: tTab(area), items }] : [];
        })
      }
    />
  );
  const definition = edited && findDefinition(edited.entry.name);
  const current = plugins.find(({ name }) => name === edited?.entry.name);
  return (
    <section aria-label={t('plugins')}>
      <header className="mb-3 flex flex-wrap items-end justify-between gap-3">
        <div className="min-w-0">
          <h2 className="font-semibold">{t('plugins')}</h2>
          <p className="text-muted">{t('pluginsHint')}</p>
        </div>
        {plugins.length > 0 && add}
      </header>
      {plugins.length === 0 ? (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border border-line bg-card px-4 py-3">
          {add}
          <p role={error ? 'alert' : undefined} className={error ? 'text-sm text-danger' : 'text-sm text-muted'}>
            {error ?? t('noPlugins')}
          </p>
        </div>
      ) : (
        <div className="grid gap-3">
          {plugins.map((entry) => {
            const of = findDefinition(entry.name);
            return (
              of && (
                <RulePluginCard
                  key={entry.name}
                  entry={entry}
                  definition={of}
                  words={words(entry.name)}
                  errors={errors[entry.name] ?? []}
                  onChange={(next) => onChange(withPlugin(plugins, next))}
                  isMerged={lists === 'merge'}
                  onEdit={edit}
                  onRemove={() => onChange(plugins.filter(({ name }) => name !== entry.name))}
                />
              )
            );
          })}
        </div>
      )}
      {edited && definition && (
        <Suspense fallback={null}>
          <RulePluginSheet
            key={edited.opened}
            entry={edited.entry}
            isNew={!current}
            isUnset={!current || onlySwitchesOff(current)}
            isMerged={lists === 'merge'}
            definition={definition}
            words={words(definition.name)}
            open={edited.isOpen}
            onOpenChange={(isOpen) => setEdited({ ...edited, isOpen })}
            onDone={(entry) => {
              onChange(withPlugin(plugins, entry));
              setEdited({ ...edited, isOpen: false });
            }}
          />
        </Suspense>
      )}
    </section>
  );
}
