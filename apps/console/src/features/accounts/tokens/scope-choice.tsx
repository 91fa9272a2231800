import type { TokenScope } from '@cordon/contract';
import { useId } from 'react';
import { useTranslations } from 'use-intl';
import { Checkbox } from '../../../ui/checkbox';
import { SegmentedControl } from '../../../ui/choice';
import { isIncluded, PRESET_NAMES, PRESETS, presetOf, SCOPE_GROUPS, scopeKey } from './token-scopes';

interface ScopeChoiceProps {
  value: readonly TokenScope[];
  onValueChange: (scopes: readonly TokenScope[]) => void;
  error: string | undefined;
}

/** What a token may do: by a preset, or one by one. */
export function ScopeChoice({ value, onValueChange, error }: ScopeChoiceProps) {
  const t = useTranslations('accounts.tokens');
  const errorId = useId();
  const toggle = (scope: TokenScope, isOn: boolean) =>
    onValueChange(isOn ? [...value, scope] : value.filter((one) => one !== scope));
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 font-medium">{t('form.scopes')}</legend>
      <SegmentedControl
        label={t('presets.label')}
        options={PRESET_NAMES.map((preset) => ({ value: preset, label: t(`presets.${preset}`) }))}
        value={presetOf(value)}
        onValueChange={(preset) => onValueChange(PRESETS[preset])}
      />
      <div className="mt-3 grid gap-4 sm:grid-cols-2">
        {(['read', 'change'] as const).map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset within one is a group alike, and its legend would be laid out otherwise
          <div key={group} role="group" aria-label={t(`groups.${group}`)} className="flex flex-col gap-2">
            <p aria-hidden className="text-sm font-medium text-muted">
              {t(`groups.${group}`)}
            </p>
            {SCOPE_GROUPS[group].map((scope) => {
              const included = isIncluded(scope, value);
              const hint = included
                ? t('scopeHints.included')
                : scope === 'domains:write'
                  ? t('scopeHints.domains_write')
                  : undefined;
              return (
                <Checkbox
                  key={scope}
                  label={t(`scopes.${scopeKey(scope)}`)}
                  hint={hint}
                  checked={included || value.includes(scope)}
                  disabled={included}
                  aria-invalid={error === undefined ? undefined : true}
                  aria-describedby={error === undefined ? undefined : errorId}
                  onChange={(event) => toggle(scope, event.target.checked)}
                />
              );
            })}
          </div>
        ))}
      </div>
      {error !== undefined && (
        <p id={errorId} className="mt-2 text-sm text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}
