import { errorsBelow, type PluginFormProps, remarksOn } from '@cordon/plugin-kit/form';
import { ENTRIES_MAX, type IpRestrictionConfig } from './schema.ts';

const MODES = ['off', 'deny', 'allow', 'both'] as const;

/** One question, who may visit, and the lists that its answer needs. */
export default function IpRestrictionForm(props: PluginFormProps<IpRestrictionConfig>) {
  const { value, onChange, errors, t, ui, disabled, enabled = true, onEnabledChange } = props;
  const { whitelistMode, blacklistMode } = value;
  const { Choice, Switch, List } = ui;
  const used = whitelistMode ? (blacklistMode ? 'both' : 'allow') : blacklistMode ? 'deny' : '';
  const modes = MODES.filter((mode) => mode !== 'off' || onEnabledChange);
  function choose(mode: string) {
    if (mode === 'off') return onEnabledChange?.(false, value);
    const next = { ...value, whitelistMode: mode !== 'deny', blacklistMode: mode !== 'allow' };
    return onEnabledChange ? onEnabledChange(true, next) : onChange(next);
  }
  function list(name: 'allow' | 'deny') {
    const below = errorsBelow(errors, name);
    // Why a list that has entries needs one: each that does nothing is marked where it stands.
    if (errors[name] !== undefined)
      for (const { path, message } of props.notices ?? [])
        if (message === 'notices.special_address' && path.startsWith(`${name}.`))
          below[path.slice(name.length + 1)] ??= t('form.reserved');
    const isUsed = name === 'allow' ? whitelistMode : blacklistMode;
    // What is not in use is out of the way, unless it must be mended.
    if (!(enabled && isUsed) && errors[name] === undefined && Object.keys(below).length === 0) return null;
    return (
      <List
        label={t(`fields.${name}.label`)}
        hint={t(`fields.${name}.hint`)}
        error={errors[name]}
        disabled={disabled}
        placeholder={t('form.placeholder')}
        value={value[name]}
        errors={below}
        remarks={remarksOn(props, name)}
        max={ENTRIES_MAX}
        onChange={(entries) => onChange({ ...value, [name]: entries })}
        onTyping={(isTyping) => props.onTyping?.(name, isTyping)}
      />
    );
  }
  return (
    <>
      <Choice
        label={t('form.mode')}
        error={errors.whitelistMode ?? errors.blacklistMode}
        value={enabled ? used : 'off'}
        options={modes.map((mode) => ({ value: mode, label: t(`form.${mode}`), hint: t(`form.${mode}_hint`) }))}
        onChange={choose}
        disabled={disabled}
      />
      {list('deny')}
      {list('allow')}
      {enabled && whitelistMode && (
        <Switch
          label={t('fields.allow_spiders.label')}
          hint={t('fields.allow_spiders.hint')}
          error={errors.allow_spiders}
          disabled={disabled}
          checked={value.allow_spiders}
          onChange={(allowSpiders) => onChange({ ...value, allow_spiders: allowSpiders })}
        />
      )}
    </>
  );
}
