import { ORIGIN_CONNECTIONS_MAX, type TlsVerification } from '@cordon/contract';
import { Controller, useFormContext, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { RadioCards } from '../../ui/choice';
import { Field } from '../../ui/field';
import { NumberInput } from '../../ui/number-input';
import { useFieldMessage } from '../words/error-words';
import { TlsCaField } from './tls-ca-field';
import type { UpstreamValues } from './upstream-values';

const MODES: readonly TlsVerification[] = ['strict', 'custom', 'off'];

/** Whose certificates are believed, and how many requests the origin takes at a time. */
export function ConnectionFields({ disabled }: { disabled?: boolean }) {
  const t = useTranslations('upstreams.connection');
  const message = useFieldMessage();
  const form = useFormContext<UpstreamValues>();
  const protocol = useWatch({ control: form.control, name: 'upstreams.protocol' });
  const mode = useWatch({ control: form.control, name: 'upstreams.tls_verification' });
  const errors = form.formState.errors.upstreams;
  return (
    <div className="flex flex-col gap-5">
      {protocol !== 'http' && (
        <Controller
          control={form.control}
          name="upstreams.tls_verification"
          render={({ field }) => (
            <Field label={t('verification')} error={message(errors?.tls_verification)}>
              <RadioCards
                className="sm:grid-cols-3"
                options={MODES.map((value) => ({
                  value,
                  label: t(`mode.${value}`),
                  description: t(`modeHint.${value}`),
                }))}
                value={field.value}
                onValueChange={field.onChange}
                disabled={disabled}
              />
            </Field>
          )}
        />
      )}
      {protocol !== 'http' && mode === 'custom' && <TlsCaField disabled={disabled} />}
      <Controller
        control={form.control}
        name="upstreams.connection_limit"
        render={({ field }) => (
          <Field label={t('limit')} hint={t('limitHint')} error={message(errors?.connection_limit)}>
            <NumberInput
              ref={field.ref}
              value={field.value || null}
              placeholder={t('unlimited')}
              onValueChange={(value) => field.onChange(value ?? 0)}
              onBlur={field.onBlur}
              min={0}
              max={ORIGIN_CONNECTIONS_MAX}
              className="w-40"
              disabled={disabled}
            />
          </Field>
        )}
      />
    </div>
  );
}
