import { CACHE_TTL_MAX_SECONDS } from '@cordon/contract/constants';
import { useState } from 'react';
import {
  BYPASS_RULES_MAX,
  type BypassRule,
  CACHE_METHODS,
  type CacheKeySettings,
  LANGUAGES_MAX,
  QUERY_NAMES_MAX,
  STATUSES_MAX,
} from './cache-settings.ts';
import { QUERY_KEYS } from './edge/shared-cache/types.ts';
import { errorsAt, errorsBelow, type PluginFormProps, remarksOn } from './form.ts';
import { useKeys } from './use-keys.ts';

/** Fields that plugins which keep answers share (`cacheFields`). */
interface SharedFields {
  readonly cache_ttl: number;
  readonly response_code: readonly number[];
  readonly request_method: readonly (typeof CACHE_METHODS)[number][];
  readonly bypass_rules: readonly BypassRule[];
  readonly cache_reusable: boolean;
  readonly key: CacheKeySettings;
}

/** Props of a part of such a form: it gives back all of the configuration with its own fields changed. */
type PartProps<Config extends SharedFields> = PluginFormProps<Config>;

const MATCHED = ['path', 'argument', 'cookie', 'header'] as const;

/** A status as it was typed where that is none: its error says so. */
const statusOf = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : (text as never));

/** For how long answers are kept, with which statuses, and what serves once they are stale. */
export function LifetimeFields<Config extends SharedFields>({
  value,
  onChange,
  errors,
  t,
  ui,
  disabled,
}: PartProps<Config>) {
  const { Seconds, List, Switch } = ui;
  const field = (name: 'cache_ttl' | 'response_code' | 'cache_reusable') => ({
    label: t(`fields.${name}.label`),
    hint: t(`fields.${name}.hint`),
    error: errors[name],
    disabled,
  });
  return (
    <>
      <Seconds
        {...field('cache_ttl')}
        min={1}
        max={CACHE_TTL_MAX_SECONDS}
        value={value.cache_ttl}
        onChange={(seconds) => onChange({ ...value, cache_ttl: seconds })}
      />
      <List
        {...field('response_code')}
        placeholder="404"
        max={STATUSES_MAX}
        value={value.response_code.map(String)}
        errors={errorsBelow(errors, 'response_code')}
        onChange={(statuses) => onChange({ ...value, response_code: statuses.map(statusOf) })}
      />
      <Switch
        {...field('cache_reusable')}
        checked={value.cache_reusable}
        onChange={(isReused) => onChange({ ...value, cache_reusable: isReused })}
      />
    </>
  );
}

type RuleParts = Pick<PluginFormProps<SharedFields>, 'errors' | 't' | 'ui' | 'disabled'> & {
  readonly value: BypassRule;
  /** A pattern is asked for, though there is none yet. */
  readonly isMatched: boolean;
  onChange(value: BypassRule): void;
  onMatchedChange(isMatched: boolean): void;
  onRemove(): void;
};

function changedRule(rule: BypassRule, on: BypassRule['on']): BypassRule {
  if (on === 'path') return { on, pattern: rule.pattern };
  return { on, name: 'name' in rule ? rule.name : '', pattern: rule.pattern };
}

/** One rule in a line: of what, its name where it has one, and the pattern. */
function RuleLine({ value, isMatched, onChange, onMatchedChange, onRemove, errors, t, ui, disabled }: RuleParts) {
  const { Line, Select, Text } = ui;
  const test = value.on === 'path' || value.pattern !== '' || isMatched ? 'matches' : 'exists';
  return (
    <Line
      label={t(`form.on.${value.on}`)}
      what={
        <>
          <Select
            hideLabel
            label={t('form.what')}
            value={value.on}
            disabled={disabled}
            options={MATCHED.map((on) => ({ value: on, label: t(`form.on.${on}`) }))}
            onChange={(on) => onChange(changedRule(value, on as BypassRule['on']))}
          />
          {'name' in value && (
            <Text
              hideLabel
              label={t(`form.names.${value.on}`)}
              isCode
              value={value.name}
              error={errors.name}
              disabled={disabled}
              placeholder={t(`form.placeholders.${value.on}`)}
              onChange={(name) => onChange({ ...value, name })}
            />
          )}
        </>
      }
      how={
        <Select
          hideLabel
          label={t('form.test')}
          value={test}
          disabled={disabled}
          options={(value.on === 'path' ? ['matches'] : ['exists', 'matches']).map((one) => ({
            value: one,
            label: t(`form.tests.${one}`),
          }))}
          onChange={(next) => {
            onMatchedChange(next === 'matches');
            if (next === 'exists') onChange({ ...value, pattern: '' });
          }}
        />
      }
      actions={[{ label: t('form.removeRule'), icon: 'remove', disabled, onPress: onRemove }]}
      error={errors['']}
    >
      {test === 'matches' && (
        <Text
          hideLabel
          label={t('form.pattern')}
          isCode
          value={value.pattern}
          error={errors.pattern}
          disabled={disabled}
          placeholder={t(`form.patterns.${value.on}`)}
          onChange={(pattern) => onChange({ ...value, pattern })}
        />
      )}
    </Line>
  );
}

/** Rules for requests that pass by the cache. */
export function BypassRules<Config extends SharedFields>({
  value,
  onChange,
  errors,
  t,
  ui,
  disabled,
}: PartProps<Config>) {
  const { Section, Group } = ui;
  const rules = value.bypass_rules;
  const own = useKeys(rules.length);
  const [matched, setMatched] = useState<ReadonlySet<string>>(new Set());
  const [removed, setRemoved] = useState<{ rule: BypassRule; index: number }>();
  const set = (next: readonly BypassRule[]) => onChange({ ...value, bypass_rules: next });
  const isFull = disabled || rules.length >= BYPASS_RULES_MAX;
  function restore() {
    if (!removed) return;
    own.add(removed.index);
    setRemoved(undefined);
    set(rules.toSpliced(removed.index, 0, removed.rule));
  }
  return (
    <Section label={t('fields.bypass_rules.label')} hint={t('fields.bypass_rules.hint')}>
      <Group
        label={t('fields.bypass_rules.label')}
        head={null}
        join={t('form.or')}
        {...(errors.bypass_rules !== undefined && { error: errors.bypass_rules })}
        undo={
          removed && !isFull
            ? {
                text: t('form.removedRule'),
                label: t('form.undo'),
                index: Math.min(removed.index, rules.length),
                onUndo: restore,
              }
            : undefined
        }
        actions={[
          {
            label: t('form.addRule'),
            icon: 'add',
            disabled: isFull,
            onPress: () => set([...rules, { on: 'cookie', name: '', pattern: '' }]),
          },
        ]}
      >
        {rules.map((rule, index) => {
          const key = own.keys[index] as string;
          return (
            <RuleLine
              key={key}
              value={rule}
              isMatched={matched.has(key)}
              errors={errorsAt(errors, `bypass_rules.${index}`)}
              {...{ t, ui, disabled }}
              onChange={(next) => set(rules.with(index, next))}
              onMatchedChange={(isMatched) => {
                const next = new Set(matched);
                if (isMatched) next.add(key);
                else next.delete(key);
                setMatched(next);
              }}
              onRemove={() => {
                own.remove(index);
                setRemoved({ rule, index });
                set(rules.toSpliced(index, 1));
              }}
            />
          );
        })}
      </Group>
    </Section>
  );
}

/** What besides its address makes another object of a URL. */
export function CacheKeyFields<Config extends SharedFields>({
  value,
  onChange,
  errors,
  t,
  ui,
  disabled,
}: PartProps<Config>) {
  const { Section, Choice, List, Switch } = ui;
  const { key } = value;
  const set = (change: Partial<CacheKeySettings>) => onChange({ ...value, key: { ...key, ...change } });
  const field = (name: keyof CacheKeySettings) => ({
    label: t(`fields.key.${name}.label`),
    hint: t(`fields.key.${name}.hint`),
    error: errors[`key.${name}`],
    disabled,
  });
  return (
    <Section label={t('fields.key.label')} hint={t('fields.key.hint')}>
      <Choice
        {...field('query')}
        value={key.query}
        options={QUERY_KEYS.map((one) => ({
          value: one,
          label: t(`fields.key.query.options.${one}`),
          hint: t(`form.queryHints.${one}`),
        }))}
        onChange={(query) => set({ query: query as CacheKeySettings['query'] })}
      />
      {(key.query === 'only' || key.query === 'except') && (
        <List
          {...field('query_names')}
          placeholder={key.query === 'only' ? 'page' : 'utm_source'}
          max={QUERY_NAMES_MAX}
          value={key.query_names}
          errors={errorsBelow(errors, 'key.query_names')}
          onChange={(names) => set({ query_names: names })}
        />
      )}
      {key.query !== 'none' && (
        <Switch
          {...field('sort_query')}
          checked={key.sort_query}
          onChange={(isSorted) => set({ sort_query: isSorted })}
        />
      )}
      <Switch
        {...field('by_device')}
        checked={key.by_device}
        onChange={(isByDevice) => set({ by_device: isByDevice })}
      />
      <List
        {...field('languages')}
        placeholder="zh-CN"
        max={LANGUAGES_MAX}
        value={key.languages}
        errors={errorsBelow(errors, 'key.languages')}
        onChange={(languages) => set({ languages })}
      />
    </Section>
  );
}

/** Methods whose answers are kept, and that OPTIONS is none of them. */
export function MethodFields<Config extends SharedFields>(props: PartProps<Config>) {
  const { value, onChange, errors, t, ui, disabled } = props;
  const { Checks } = ui;
  const [remark] = remarksOn(props, 'request_method').shown;
  const [ofEntry] = Object.values(errorsBelow(errors, 'request_method'));
  const error = errors.request_method ?? ofEntry;
  return (
    <Checks
      label={t('fields.request_method.label')}
      hint={remark ?? t('fields.request_method.hint')}
      {...(error !== undefined && { error })}
      disabled={disabled}
      value={value.request_method}
      options={CACHE_METHODS.map((method) => ({ value: method, label: method }))}
      onChange={(methods) => onChange({ ...value, request_method: methods })}
    />
  );
}
