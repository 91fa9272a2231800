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
    <article className="min-w-0 rounded-card border border-line bg-card px-4 py-3" aria-label={name}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <PluginIcon area={definition.area} isEnabled={entry.enabled} />
        <div className="min-w-0 flex-1 basis-64">
          <h3 className="font-semibold">
            {name} <span className="text-sm font-normal text-muted">{words('description')}</span>
          </h3>
          <dl className="flex flex-wrap gap-x-6 text-sm">
            {!isOnlyOff && (
              <div className="flex min-w-0 gap-2">
                <dt className="shrink-0 text-muted">{tPlugin('setTo')}</dt>
                <dd className="min-w-0 font-medium wrap-anywhere">{summary ?? tPlugin('notSetUp')}</dd>
              </div>
            )}
            <div className="flex gap-2">
              <dt className="text-muted">{t('whenApplied')}</dt>
              <dd className="font-medium">{t(effect)}</dd>
            </div>
          </dl>
        </div>
        <span className="ml-auto flex items-center gap-2">
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
          <span className="grid min-h-9 place-items-center touch:min-h-10">
            <Switch
              aria-label={tPlugin('switchLabel', { name })}
              checked={entry.enabled}
              onChange={(event) => toggle(event.target.checked)}
            />
          </span>
        </span>
      </div>
      {errors.map((error) => (
        <p key={error} role="alert" className="mt-2 text-sm text-danger">
          {error}
        </p>
      ))}
    </article>
  );
}
