import { BATCH_IMPORT_SUGGESTED_ABOVE, type Subscription } from '@cordon/contract';
import { Controller, useFormContext } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { usePlanName } from '../../../app/plan-name';
import { namesLeft } from '../../../domain/data/names-left';
import { DnsRecord } from '../../../domain/display/dns-record';
import { UpgradePrompt } from '../../../domain/form/upgrade-prompt';
import { errorParams } from '../../../domain/words/error-params';
import { useFieldMessage } from '../../../domain/words/error-words';
import { Field } from '../../../ui/field';
import { Select } from '../../../ui/select';
import { Link } from '../../../ui/text-link';
import type { AddDomainValues } from './add-domain-values';
import { NameField } from './name-field';

/** First step: which name, on which subscription. */
export function NameStep({ subscriptions }: { subscriptions: readonly Subscription[] }) {
  const t = useTranslations('domain.add');
  const message = useFieldMessage();
  const form = useFormContext<AddDomainValues>();
  const tDns = useTranslations('domain.dns');
  const errors = form.formState.errors;
  // Another account holds the name: the API answers the record that proves ownership.
  const proof = errorParams(errors.domain_name);
  const describe = (subscription: Subscription) =>
    t('plan.left', {
      left: namesLeft(subscription),
      total: subscription.features.domains + subscription.additional_domain_number,
    });
  // The CNAME is what tells two of one plan apart, and says nothing else to anyone.
  const planName = usePlanName();
  const labelOf = (one: Subscription) =>
    subscriptions.filter((other) => other.plan_name === one.plan_name).length === 1
      ? planName(one)
      : t('plan.option', { plan: planName(one), cname: one.cname });
  return (
    <div className="flex flex-col gap-5">
      <NameField />
      {proof.route_id && (
        <Link to="/domain/list/$id" params={{ id: proof.route_id }}>
          {t('name.open', { name: proof.route_name ?? '' })}
        </Link>
      )}
      {proof.txt_name && proof.txt_value && (
        <div className="flex flex-col gap-2">
          <p className="text-muted">{t('name.taken')}</p>
          <DnsRecord type="TXT" name={proof.txt_name} values={[proof.txt_value]} label={tDns('txtRecord')} />
        </div>
      )}
      <Controller
        control={form.control}
        name="cname"
        render={({ field }) => {
          const chosen = subscriptions.find((subscription) => subscription.cname === field.value);
          return (
            <>
              <Field label={t('plan.label')} hint={chosen && describe(chosen)} error={message(errors.cname)}>
                <Select
                  options={subscriptions.map((subscription) => ({
                    value: subscription.cname,
                    label: labelOf(subscription),
                    description: describe(subscription),
                    disabled: subscription.status !== 'active',
                  }))}
                  value={field.value}
                  onValueChange={(value) => {
                    field.onChange(value);
                    if (form.formState.errors.domain_name) void form.trigger('domain_name');
                  }}
                />
              </Field>
              {chosen &&
                (namesLeft(chosen) === 0 ? (
                  <UpgradePrompt reason="QUOTA_REACHED" />
                ) : (
                  chosen.usage.domains > BATCH_IMPORT_SUGGESTED_ABOVE && (
                    <p className="text-sm text-muted">
                      {t.rich('manyHint', { link: (words) => <Link to="/domain/import">{words}</Link> })}
                    </p>
                  )
                ))}
              {errors.domain_name?.type === 'WILDCARD_NEEDS_VIP' && <UpgradePrompt reason="WILDCARD_NEEDS_VIP" />}
            </>
          );
        }}
      />
    </div>
  );
}
