import type { PluginFormProps } from '@cordon/plugin-kit/form';
import type { DomainConfig } from './schema.ts';

/** One switch: on, challenges pass; off, the plugin is. */
export default function DomainConfigForm({
  value,
  onChange,
  errors,
  t,
  ui,
  disabled,
  enabled = true,
  onEnabledChange,
}: PluginFormProps<DomainConfig>) {
  function choose(isBypassing: boolean) {
    // Off it stays as it is, so that whoever switches the plugin on again switches this on.
    if (onEnabledChange) onEnabledChange(isBypassing, isBypassing ? { is_bypass_acme: true } : value);
    else onChange({ is_bypass_acme: isBypassing });
  }
  return (
    <ui.Switch
      label={t('fields.is_bypass_acme.label')}
      hint={t('fields.is_bypass_acme.hint')}
      error={errors.is_bypass_acme}
      disabled={disabled}
      checked={enabled && value.is_bypass_acme}
      onChange={choose}
    />
  );
}
