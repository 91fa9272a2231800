import { BypassRules, CacheKeyFields, LifetimeFields, MethodFields } from '@cordon/plugin-kit/cache-form';
import { errorsBelow, type PluginFormProps, remarksOn } from '@cordon/plugin-kit/form';
import { DIRECTIVES_MAX, PATHS_MAX, POSTFIXES_MAX, type ProxyCacheConfig } from './schema.ts';

/** Which paths, for how long, what never, and as what: from what most customers change to what few do. */
export default function ProxyCacheForm(props: PluginFormProps<ProxyCacheConfig>) {
  const { value, onChange, errors, t, ui, disabled } = props;
  const { Section, List, Switch } = ui;
  const set = (change: Partial<ProxyCacheConfig>) => onChange({ ...value, ...change });
  const list = (name: 'cache_paths' | 'cache_postfixes' | 'cache_control') => ({
    label: t(`fields.${name}.label`),
    hint: t(`fields.${name}.hint`),
    error: errors[name],
    errors: errorsBelow(errors, name),
    remarks: remarksOn(props, name),
    value: value[name],
    disabled,
  });
  return (
    <>
      <Section label={t('form.kept')} hint={t('form.keptHint')}>
        <List
          {...list('cache_paths')}
          placeholder="/static"
          max={PATHS_MAX}
          onChange={(paths) => set({ cache_paths: paths })}
        />
        <List
          {...list('cache_postfixes')}
          placeholder="css"
          max={POSTFIXES_MAX}
          onChange={(postfixes) => set({ cache_postfixes: postfixes })}
        />
      </Section>
      <Section label={t('form.lifetime')}>
        <LifetimeFields {...props} />
      </Section>
      <BypassRules {...props} />
      <Section label={t('form.directives')}>
        <List
          {...list('cache_control')}
          placeholder="max-age=3600"
          max={DIRECTIVES_MAX}
          onChange={(directives) => set({ cache_control: directives })}
        />
        <Switch
          label={t('fields.cache_control_response_override.label')}
          hint={t('fields.cache_control_response_override.hint')}
          disabled={disabled}
          checked={value.cache_control_response_override}
          onChange={(isOverriding) => set({ cache_control_response_override: isOverriding })}
        />
      </Section>
      <CacheKeyFields {...props} />
      <MethodFields {...props} />
    </>
  );
}
