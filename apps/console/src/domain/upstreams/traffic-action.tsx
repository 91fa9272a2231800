import { Controller, useFormContext } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { SegmentedControl } from '../../ui/choice';
import { Field } from '../../ui/field';
import { useFieldMessage } from '../words/error-words';
import { redirecting, type UpstreamValues } from './upstream-values';

/** What happens to the traffic: to an origin, or elsewhere. Shown only where there is a choice. */
export function TrafficAction({ disabled, hideLabel }: { disabled?: boolean; hideLabel?: boolean }) {
  const t = useTranslations('domain.upstreams.action');
  const form = useFormContext<UpstreamValues>();
  const message = useFieldMessage();
  // A redirect is done by a plugin; without one there is nothing to choose.
  if (!redirecting && form.getValues('traffic_action') !== 'redirect') return null;
  return (
    <Controller
      control={form.control}
      name="traffic_action"
      render={({ field }) => (
        <Field label={t('label')} hideLabel={hideLabel ?? false} error={message(form.formState.errors.traffic_action)}>
          <SegmentedControl
            className="self-start"
            options={(['upstream', 'redirect'] as const).map((value) => ({ value, label: t(value) }))}
            value={field.value}
            onValueChange={field.onChange}
            disabled={disabled}
          />
        </Field>
      )}
    />
  );
}
