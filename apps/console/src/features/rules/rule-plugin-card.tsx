import { onlySwitchesOff, type PluginEntry } from '@cordon/contract';
import type { PluginDefinition } from '@cordon/plugin-kit';
import { SlidersHorizontal, Trash2 } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { parseConfig } from '../../domain/model/parse-config';
import { PluginIcon } from '../../domain/plugins/plugin-icon';
import { startEntry } from '../../domain/plugins/start-entry';
import { pluginSummary } from '../../domain/words/plugin-summary';
import { type PluginWords, pluginName } from '../../domain/words/plugin-words';
import { Button, IconButton } from '../../ui/button';
import { Switch } from '../../ui/switch';

interface RulePluginCardProps {
  entry: PluginEntry;
  definition: PluginDefinition;
  words: PluginWords;
  /** What is wrong with it, in the reader's language. */
  errors: readonly string[];
  /** Whether a domain that has it switched off by the template keeps its own settings all the same: its lists are merged. */
  isMerged: boolean;
  onChange: (entry: PluginEntry) => void;
  onEdit: (entry: PluginEntry) => void;
  onRemove: () => void;
}

/** One plugin of a rule: what it does, whether domains get it switched on, and what it is set to. */
export function RulePluginCard({
  entry,
  definition,
  words,
  errors,
  isMerged,
  onChange,
  onEdit,
  onRemove,
}: RulePluginCardProps) {
  const t = useTranslations('rules.plugin');
  const tPlugin = useTranslations('domain.plugin');
  const name = pluginName(words, entry.name);
  const isOnlyOff = onlySwitchesOff(entry);
  const summary = pluginSummary(words, definition, entry.config);
  const effect = entry.enabled ? 'switchesOn' : isOnlyOff || isMerged ? 'onlySwitchesOff' : 'switchesOff';

  function toggle(enabled: boolean) {
    const next = isOnlyOff ? startEntry(definition, words) : { ...entry, enabled };
    // Switched on without a usable configuration it would be refused: set it up first.
    if (isOnlyOff && !parseConfig(definition, next.config).success) onEdit(next);
    else onChange(next);
  }
  return (
    <article className="flex min-w-0 flex-col rounded-card border border-line bg-card p-4 sm:p-5" aria-label={name}>
      <header className="flex items-start gap-3">
        <PluginIcon area={definition.area} isEnabled={entry.enabled} />
        <div className="min-w-0 flex-1">
          <h3 className="font-semibold">{name}</h3>
          <p className="mt-0.5 text-muted">{words('description')}</p>
        </div>
        <span className="grid min-h-9 place-items-center touch:min-h-10">
          <Switch
            aria-label={tPlugin('switchLabel', { name })}
            checked={entry.enabled}
            onChange={(event) => toggle(event.target.checked)}
          />
        </span>
      </header>
      <dl className="mt-4 grid gap-x-6 gap-y-1 text-sm sm:grid-cols-[auto_1fr]">
        {!isOnlyOff && (
          <>
            <dt className="text-muted">{tPlugin('setTo')}</dt>
            <dd className="min-w-0 font-medium wrap-anywhere phone:mb-1.5">{summary ?? tPlugin('notSetUp')}</dd>
          </>
        )}
        <dt className="text-muted">{t('whenApplied')}</dt>
        <dd className="min-w-0 font-medium">{t(effect)}</dd>
      </dl>
      {errors.map((error) => (
        <p key={error} role="alert" className="mt-2 text-sm text-danger">
          {error}
        </p>
      ))}
      <footer className="mt-4 flex flex-wrap items-center justify-between gap-2">
        <Button
          size="sm"
          aria-label={tPlugin('editOf', { name })}
          icon={<SlidersHorizontal size={16} aria-hidden />}
          onClick={() => onEdit(entry)}
        >
          {tPlugin('edit')}
        </Button>
        <IconButton
          size="sm"
          label={t('remove', { name })}
          icon={<Trash2 size={16} aria-hidden />}
          onClick={onRemove}
        />
      </footer>
    </article>
  );
}
