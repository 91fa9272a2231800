import { BypassRules, CacheKeyFields, LifetimeFields, MethodFields } from '@cordon/plugin-kit/cache-form';
import { errorsBelow, type PluginFormProps } from '@cordon/plugin-kit/form';
import { type AdvanceProxyCacheConfig, CONTENT_TYPES_MAX, MODES, type Mode } from './schema.ts';

/** Exactly one is on. */
const modeFields = (chosen: Mode): Record<Mode, boolean> => ({
  global_default_caching: chosen === 'global_default_caching',
  global_custom_caching: chosen === 'global_custom_caching',
  global_disable_cache_completely: chosen === 'global_disable_cache_completely',
});

/** One question (whose word holds: the origin's, one's own, none), and what belongs to its answer. */
export default function AdvanceProxyCacheForm(props: PluginFormProps<AdvanceProxyCacheConfig>) {
  const { value, onChange, errors, t, ui, disabled } = props;
  const { Section, Choice, List, Switch } = ui;
  const set = (change: Partial<AdvanceProxyCacheConfig>) => onChange({ ...value, ...change });
  const chosen = MODES.filter((mode) => value[mode]);
  const wrong = MODES.flatMap((mode) => errors[mode] ?? [])[0];
  return (
    <>
      <Choice
        label={t('form.mode')}
        inOneRow
        {...(wrong !== undefined && { error: wrong })}
        disabled={disabled}
        // Of two, as only the API can set them, none is shown.
        value={chosen.length === 1 ? (chosen[0] ?? '') : ''}
        options={MODES.map((mode) => ({
          value: mode,
          label: t(`fields.${mode}.label`),
          hint: t(`fields.${mode}.hint`),
        }))}
        onChange={(mode) => set(modeFields(mode as Mode))}
      />
      {!value.global_disable_cache_completely && (
        <>
          <Section
            label={t('form.lifetime')}
            hint={t(`form.lifetimeHints.${value.global_custom_caching ? 'custom' : 'default'}`)}
          >
            <List
              label={t('fields.content_type.label')}
              hint={t('fields.content_type.hint')}
              error={errors.content_type}
              errors={errorsBelow(errors, 'content_type')}
              disabled={disabled}
              placeholder="application/pdf"
              max={CONTENT_TYPES_MAX}
              value={value.content_type}
              onChange={(types) => set({ content_type: types })}
            />
            <LifetimeFields {...props} />
          </Section>
          <BypassRules {...props} />
          <Switch
            label={t('fields.enable_cache_control.label')}
            hint={t('fields.enable_cache_control.hint')}
            disabled={disabled}
            checked={value.enable_cache_control}
            onChange={(isObeyed) => set({ enable_cache_control: isObeyed })}
          />
          <CacheKeyFields {...props} />
          <MethodFields {...props} />
        </>
      )}
    </>
  );
}
