import type { PluginNotice } from '@cordon/plugin-kit';
import { errorsAt, errorsBelow, noticesBelow, type PluginFormProps, type PluginMatches } from '@cordon/plugin-kit/form';
import { useKeys } from '@cordon/plugin-kit/use-keys';
import { useState } from 'react';
import { isNamedByConditions, proposedName, sayGroup, sayRule } from './condition-words.ts';
import { GroupForm } from './group-form.tsx';
import { freeName, newRule } from './new-parts.ts';
import { type BlackrulesConfig, RULES_MAX, type Rule } from './schema.ts';

const TONES = { block: 'danger', challenge: 'warning', log: 'warning', allow: 'success' } as const;

/** One rule: what it is called, what it does, and to which requests. */
function RuleForm({
  value,
  onChange,
  errors,
  notices,
  ...parts
}: Pick<PluginFormProps<BlackrulesConfig>, 't' | 'ui' | 'disabled' | 'errors'> & {
  notices: readonly PluginNotice[];
  value: Rule;
  onChange: (rule: Rule) => void;
}) {
  const { t, ui, disabled } = parts;
  const { Text, Choice, Switch } = ui;
  return (
    <>
      <Text
        label={t('fields.black_rules.name.label')}
        value={value.name}
        error={errors.name}
        disabled={disabled}
        onChange={(name) => onChange({ ...value, name })}
      />
      <GroupForm
        {...parts}
        value={value.when}
        errors={errorsAt(errors, 'when')}
        notices={noticesBelow(notices, 'when')}
        onChange={(when) => onChange({ ...value, when })}
      />
      <Choice
        label={t('fields.black_rules.action.label')}
        value={value.action}
        inOneRow
        disabled={disabled}
        options={(['block', 'challenge', 'log', 'allow'] as const).map((action) => ({
          value: action,
          label: t(`fields.black_rules.action.options.${action}`),
          hint: t(`form.actionHints.${action}`),
        }))}
        onChange={(action) => onChange({ ...value, action: action as Rule['action'] })}
      />
      <Switch
        label={t('fields.black_rules.enabled.label')}
        checked={value.enabled}
        disabled={disabled}
        onChange={(enabled) => onChange({ ...value, enabled })}
      />
    </>
  );
}

/** What a rule's name and badge do not say; the badge says what it does, unless it says that it is off. */
function summaryOf(rule: Rule, t: PluginFormProps<BlackrulesConfig>['t']): string {
  const conditions = sayGroup(rule.when, t);
  const isSaid = rule.name === conditions;
  if (rule.enabled) return isSaid ? '' : conditions;
  return isSaid ? t(`fields.black_rules.action.options.${rule.action}`) : sayRule(rule, t);
}

/** How many recent requests a rule decided, or that the log lacks what would tell. */
function noteOf(rule: Rule, matches: PluginMatches | undefined, t: PluginFormProps<BlackrulesConfig>['t']) {
  if (matches === undefined || !rule.enabled) return undefined;
  const { of, byRule, unknownByRule, isStale } = matches;
  if (of === 0) return { text: isStale ? undefined : '', isStale };
  // A number of other conditions would stand beside these as if it were theirs.
  if (isStale) return { text: t('form.counting'), isStale };
  const count = byRule[rule.name] ?? 0;
  const unknown = unknownByRule[rule.name];
  if (unknown === undefined) return { text: t('form.matched', { count, of }), isStale };
  const { requests, missing } = unknown;
  const message = requests < of ? 'form.partlyCounted' : 'form.uncounted';
  return { text: t(message, { count, of, unknown: requests, missing }), isStale, isLacking: true };
}

/** Whether nobody has named it; where a name was taken, a number is behind it. */
const isUnnamed = (rule: Rule, t: PluginFormProps<BlackrulesConfig>['t']): boolean =>
  [rule.name, rule.name.replace(/ \d+$/, '')].some(
    (name) => name === t('form.newRule') || isNamedByConditions({ ...rule, name }, t),
  );

/** Rules that nobody has named, here or when they were stored, are called by their conditions; answers what becomes of a changed rule. */
function useProposedNames(rules: readonly Rule[], t: PluginFormProps<BlackrulesConfig>['t']) {
  const noName = t('form.newRule');
  const [proposed] = useState(() => new Set(rules.flatMap((rule) => (isUnnamed(rule, t) ? [rule.name] : []))));
  const propose = (rule: Omit<Rule, 'name'>, others: readonly Rule[]): Rule => {
    const name = freeName(others, proposedName(rule.when, t) ?? noName);
    proposed.add(name);
    return { ...rule, name };
  };
  return {
    propose,
    changed(index: number, next: Rule): Rule {
      const isProposed = proposed.delete(rules[index]?.name ?? '');
      // Once it is typed it stays.
      if (!isProposed || next.name !== rules[index]?.name) return next;
      return propose(next, rules.toSpliced(index, 1));
    },
  };
}

/** Rules in their order. Each is one line until it is opened. */
export default function BlackrulesForm({
  value,
  onChange,
  errors,
  notices = [],
  t,
  ui,
  disabled,
  matches,
}: PluginFormProps<BlackrulesConfig>) {
  const rules = value.black_rules;
  const own = useKeys(rules.length);
  const names = useProposedNames(rules, t);
  const [removed, setRemoved] = useState<{ rule: Rule; index: number }>();
  const setRules = (black_rules: readonly Rule[]) => onChange({ ...value, black_rules });
  function restore() {
    if (!removed) return;
    const { rule, index } = removed;
    const name = freeName(rules, rule.name);
    own.add(index);
    setRemoved(undefined);
    setRules([...rules.slice(0, index), { ...rule, name }, ...rules.slice(index)]);
  }
  return (
    <ui.Items
      label={t('fields.black_rules.label')}
      addLabel={t('form.addRule')}
      max={RULES_MAX}
      disabled={disabled}
      error={errors.black_rules}
      items={rules.map((rule, index) => {
        const ownErrors = errorsBelow(errors, `black_rules.${index}`);
        return {
          key: own.keys[index] as string,
          title: rule.name === '' ? t('form.unnamed') : rule.name,
          summary: summaryOf(rule, t),
          badge: rule.enabled
            ? { label: t(`fields.black_rules.action.options.${rule.action}`), tone: TONES[rule.action] }
            : { label: t('form.off'), tone: 'neutral' },
          note: noteOf(rule, matches, t),
          errorCount: Object.keys(ownErrors).length,
          content: (
            <RuleForm
              value={rule}
              errors={ownErrors}
              notices={noticesBelow(notices, `black_rules.${index}`)}
              {...{ t, ui, disabled }}
              onChange={(next) => setRules(rules.with(index, names.changed(index, next)))}
            />
          ),
        };
      })}
      undo={
        removed && {
          text: t('form.removed', { name: removed.rule.name || t('form.unnamed') }),
          label: t('form.undo'),
          index: Math.min(removed.index, rules.length),
          onUndo: restore,
        }
      }
      onAdd={() => setRules([...rules, names.propose(newRule(), rules)])}
      onMove={(from, to) => {
        own.move(from, to);
        const moved = [...rules];
        moved.splice(to, 0, ...moved.splice(from, 1));
        setRules(moved);
      }}
      onCopy={(index) => {
        const original = rules[index] as Rule;
        own.add(index + 1);
        const copy = { ...original, name: freeName(rules, original.name) };
        setRules([...rules.slice(0, index + 1), copy, ...rules.slice(index + 1)]);
      }}
      onRemove={(index) => {
        own.remove(index);
        setRemoved({ rule: rules[index] as Rule, index });
        setRules(rules.filter((_, at) => at !== index));
      }}
    />
  );
}
