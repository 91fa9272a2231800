import { errorsBelow, type PluginFormProps } from '@cordon/plugin-kit/form';
import type { IpRestrictionConfig } from './schema.ts';

/** Each list under the switch that puts it to work, because a list without its switch does nothing. */
export default function IpRestrictionForm({
  value,
  onChange,
  errors,
  t,
  ui,
  disabled,
}: PluginFormProps<IpRestrictionConfig>) {
  const { Switch, List, Note } = ui;
  const set = (change: Partial<IpRestrictionConfig>) => onChange({ ...value, ...change });
  const field = (name: keyof IpRestrictionConfig) => ({
    label: t(`fields.${name}.label`),
    hint: t(`fields.${name}.hint`),
    error: errors[name],
    disabled,
  });
  return (
    <>
      <Switch
        {...field('whitelistMode')}
        checked={value.whitelistMode}
        onChange={(whitelistMode) => set({ whitelistMode })}
      />
      <List
        {...field('allow')}
        placeholder={t('form.placeholder')}
        value={value.allow}
        errors={errorsBelow(errors, 'allow')}
        onChange={(allow) => set({ allow })}
      />
      {value.whitelistMode && (
        <Switch
          {...field('allow_spiders')}
          checked={value.allow_spiders}
          onChange={(allowSpiders) => set({ allow_spiders: allowSpiders })}
        />
      )}
      <Switch
        {...field('blacklistMode')}
        checked={value.blacklistMode}
        onChange={(blacklistMode) => set({ blacklistMode })}
      />
      <List
        {...field('deny')}
        placeholder={t('form.placeholder')}
        value={value.deny}
        errors={errorsBelow(errors, 'deny')}
        onChange={(deny) => set({ deny })}
      />
      {value.whitelistMode && value.blacklistMode && <Note tone="info" text={t('form.both')} />}
    </>
  );
}
