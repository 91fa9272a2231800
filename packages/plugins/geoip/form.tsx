import { errorsBelow, type PluginFormProps, remarksOn } from '@cordon/plugin-kit/form';
import { ADDRESSES_MAX, type GeoipConfig } from './schema.ts';

/** One question (refuse some, or allow only some), and the one list that answers it. */
export default function GeoipForm(props: PluginFormProps<GeoipConfig>) {
  const { value, onChange, errors, t, ui, disabled } = props;
  const { Choice, Countries, List, Switch } = ui;
  const set = (change: Partial<GeoipConfig>) => onChange({ ...value, ...change });
  const field = (name: keyof GeoipConfig) => ({
    label: t(`fields.${name}.label`),
    hint: t(`fields.${name}.hint`),
    error: errors[name],
    disabled,
  });
  const list = value.mode === 'Blacklist' ? 'blacklist_countries' : 'whitelist_countries';
  return (
    <>
      <Choice
        label={t('fields.mode.label')}
        error={errors.mode}
        disabled={disabled}
        value={value.mode}
        options={(['Blacklist', 'Whitelist'] as const).map((mode) => ({
          value: mode,
          label: t(`fields.mode.options.${mode}`),
          hint: t(`form.modeHints.${mode}`),
        }))}
        onChange={(mode) => set({ mode: mode as GeoipConfig['mode'] })}
      />
      <Countries
        key={list}
        {...field(list)}
        value={value[list]}
        errors={errorsBelow(errors, list)}
        onChange={(countries) => set({ [list]: countries })}
      />
      <List
        {...field('whitelist_ips')}
        placeholder={t('form.placeholder')}
        value={value.whitelist_ips}
        errors={errorsBelow(errors, 'whitelist_ips')}
        remarks={remarksOn(props, 'whitelist_ips')}
        max={ADDRESSES_MAX}
        onChange={(addresses) => set({ whitelist_ips: addresses })}
      />
      <Switch
        {...field('combine_geoip')}
        checked={value.combine_geoip}
        onChange={(combine) => set({ combine_geoip: combine })}
      />
    </>
  );
}
