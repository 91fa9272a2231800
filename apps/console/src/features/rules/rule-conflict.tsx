import { diffConfigs, onlySwitchesOff, type PluginEntry, type RuleLists } from '@cordon/contract';
import { Split } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useWho } from '../../app/who';
import { ChangeBody } from '../../domain/changes/change-body';
import { pluginConfig } from '../../domain/changes/plugin-config';
import { pluginDefaults } from '../../domain/changes/plugin-defaults';
import { Callout } from '../../domain/form/callout';
import { mergeDraft, type Side } from '../../domain/model/merge-draft';
import { pluginName, usePluginWords } from '../../domain/words/plugin-words';
import { Button } from '../../ui/button';
import { RadioCards } from '../../ui/choice';
import { useFormat } from '../../ui/format';
import { fieldsOf, pluginOfField, valuesOf } from './rule-values';
import type { RuleFormState } from './use-rule-form';

type Fields = Readonly<Record<string, unknown>>;

const isOnlyOff = (entry: unknown) => entry !== undefined && onlySwitchesOff(entry as PluginEntry);

const configOf = (entry: unknown) =>
  pluginConfig({
    traffic_action: 'upstream',
    plugins: entry === undefined || isOnlyOff(entry) ? [] : [entry as PluginEntry],
  });

/** What one side made of a plugin. */
function PluginChanges({ plugin, before, after }: { plugin: string; before: unknown; after: unknown }) {
  const t = useTranslations('domain.changes.field');
  const tConflict = useTranslations('rules.conflict');
  const tPlugin = useTranslations('rules.plugin');
  const words = usePluginWords();
  if (after === undefined) return tConflict('leftOut');
  if (isOnlyOff(after)) return tPlugin('offKeeps');
  const [from, to] = [configOf(before), configOf(after)];
  const labelOf = (field: string) =>
    field === 'enabled' ? t('enabled') : (words?.(plugin)(`fields.${field}.label`) ?? field);
  return diffConfigs(from, to, pluginDefaults).map((change) => (
    <span key={change.field} className="flex flex-wrap gap-x-3">
      {labelOf(change.field)}
      <ChangeBody change={change} before={from} after={to} />
    </span>
  ));
}

/** Another user has saved the rule since: of each thing that both changed, both are shown, and whose counts is chosen. */
export function RuleConflict({ form: { base, values, theirs, rebase } }: { form: RuleFormState }) {
  const t = useTranslations('rules.editor');
  const tConflict = useTranslations('rules.conflict');
  const tDomain = useTranslations('domain.conflict');
  const format = useFormat();
  const whoOf = useWho();
  const words = usePluginWords();
  const [sides, setSides] = useState<Readonly<Record<string, Side>>>({});
  if (!theirs) return null;
  const who = theirs.updated_by === null ? t('anotherUser') : whoOf(theirs.updated_by);
  const [before, mine, other] = [base, values, valuesOf(theirs)].map(fieldsOf) as [Fields, Fields, Fields];
  const { contested } = mergeDraft(before, mine, other);

  function labelOf(field: string): string {
    const plugin = pluginOfField(field);
    if (plugin !== undefined) return words ? pluginName(words(plugin), plugin) : plugin;
    return field === 'lists' ? t('lists.label') : tConflict(field as 'name' | 'description');
  }
  function sideOf(fields: Fields, field: string): ReactNode {
    const plugin = pluginOfField(field);
    const value = fields[field];
    if (plugin !== undefined) return <PluginChanges plugin={plugin} before={before[field]} after={value} />;
    return field === 'lists' ? t(`lists.${value as RuleLists}`) : String(value) || tConflict('empty');
  }
  return (
    <div role="alert" className="flex flex-col gap-3">
      <Callout tone="warning" icon={<Split size={16} />}>
        <p className="font-medium">{t('changedBy', { who })}</p>
        {contested.length > 0 && (
          <p className="mt-0.5 text-ink">{tDomain('contested', { fields: format.list(contested.map(labelOf)) })}</p>
        )}
      </Callout>
      {contested.map((field) => (
        <div key={field} className="flex flex-col gap-1.5">
          <p className="font-medium">{labelOf(field)}</p>
          <RadioCards
            label={tDomain('whose', { field: labelOf(field) })}
            options={[
              { value: 'mine', label: tDomain('mine'), description: sideOf(mine, field) },
              { value: 'theirs', label: tDomain('theirs', { who }), description: sideOf(other, field) },
            ]}
            value={sides[field] ?? 'mine'}
            onValueChange={(side) => setSides({ ...sides, [field]: side })}
          />
        </div>
      ))}
      <div className="flex flex-wrap gap-2">
        <Button size="sm" variant="primary" onClick={() => rebase(sides)}>
          {contested.length > 0 ? tDomain('resolve') : t('merge')}
        </Button>
        <Button size="sm" variant="ghost" onClick={() => rebase()}>
          {t('takeTheirs')}
        </Button>
      </div>
    </div>
  );
}
