import type { Subscription } from '@cordon/contract';
import { isWildcardName, parseDomainName } from '@cordon/contract';
import clsx from 'clsx';
import { type ReactNode, useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { failureTexts } from '../../../app/failure';
import { usePlanName } from '../../../app/plan-name';
import { NOTE_MAX } from '../../../domain/form/note-max';
import { meantTargets, redirecting } from '../../../domain/upstreams/upstream-values';
import { useVerifyUpstreams } from '../../../domain/upstreams/use-verify-upstreams';
import { useFieldMessage } from '../../../domain/words/error-words';
import { pluginSummary } from '../../../domain/words/plugin-summary';
import { usePluginWords } from '../../../domain/words/plugin-words';
import { useTargetText } from '../../../domain/words/use-target-text';
import { Button } from '../../../ui/button';
import { Field } from '../../../ui/field';
import { Textarea, TextInput } from '../../../ui/text-input';
import type { AddDomainValues, AddStep } from './add-domain-values';
import { type Admission, chosenOf, judge } from './use-detection';

function Line({
  label,
  onEdit,
  editLabel,
  children,
}: {
  label: string;
  onEdit: () => void;
  editLabel: string;
  children: ReactNode;
}) {
  const t = useTranslations('domain.add.review');
  return (
    <div className="flex items-start gap-3 px-4 py-3">
      <dt className="w-32 shrink-0 text-muted phone:w-20">{label}</dt>
      <dd className="flex min-w-0 flex-1 items-start gap-3">
        <div className="min-w-0 flex-1 wrap-anywhere">{children}</div>
        <Button size="sm" variant="ghost" onClick={onEdit} aria-label={editLabel} className="-my-1.5 -mr-2">
          {t('edit')}
        </Button>
      </dd>
    </div>
  );
}

/** The targets have not been asked: why, and once more; what they find wrong stands at their fields. */
function Unchecked({ admission, onEdit, onFound }: Pick<ReviewStepProps, 'admission' | 'onEdit' | 'onFound'>) {
  const t = useTranslations('domain.add.review');
  const tUpstreams = useTranslations('domain.upstreams');
  const { getValues } = useFormContext<AddDomainValues>();
  const { domain_name, upstreams } = getValues();
  const { verifyAsync, isVerifying } = useVerifyUpstreams(domain_name);
  const [error, setError] = useState(admission.unchecked);
  async function detect() {
    try {
      const results = await verifyAsync(meantTargets(upstreams));
      admission.unchecked = undefined;
      if (judge(upstreams, results).isAnswered) {
        admission.answered = chosenOf(upstreams);
        return onFound();
      }
      admission.isDue = true;
      onEdit('traffic');
    } catch (cause) {
      setError(cause);
    }
  }
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-warning">
      {t('unchecked', { reason: failureTexts(error).join(' ') })}
      <Button size="sm" loading={isVerifying} onClick={() => void detect()}>
        {tUpstreams('verify')}
      </Button>
    </p>
  );
}

interface ReviewStepProps {
  subscription: Subscription | undefined;
  admission: Admission;
  onEdit: (step: AddStep) => void;
  /** The targets have answered meanwhile. */
  onFound: () => void;
}

/** Last step: what will be saved, and what happens then. */
export function ReviewStep({ subscription, admission, onEdit, onFound }: ReviewStepProps) {
  const t = useTranslations('domain.add.review');
  const message = useFieldMessage();
  const targetText = useTargetText();
  const tName = useTranslations('domain.add.name');
  const tUpstreams = useTranslations('domain.upstreams');
  const form = useFormContext<AddDomainValues>();
  const values = useWatch({ control: form.control }) as AddDomainValues;
  const { upstreams, traffic_action, redirection } = values;
  const isAnswered = admission.answered === chosenOf(upstreams);
  const planName = usePlanName();
  const words = usePluginWords();
  const name = parseDomainName(values.domain_name);
  const stored = name.ok ? name.name : values.domain_name;
  return (
    <section aria-label={t('title')} tabIndex={-1} data-start className="flex flex-col gap-5 outline-none">
      <dl className="divide-y divide-line rounded-control border border-line">
        <Line label={t('name')} onEdit={() => onEdit('name')} editLabel={t('editNamed', { name: t('name') })}>
          <span className="font-medium">{values.domain_name.trim()}</span>
          {stored !== values.domain_name.trim() && <span className="block font-mono text-sm text-muted">{stored}</span>}
          {isWildcardName(stored) && (
            <span className="block text-sm text-muted">{tName('wildcard', { name: stored.slice(2) })}</span>
          )}
        </Line>
        <Line label={t('plan')} onEdit={() => onEdit('name')} editLabel={t('editNamed', { name: t('plan') })}>
          {subscription && planName(subscription)}
        </Line>
        <Line label={t('traffic')} onEdit={() => onEdit('traffic')} editLabel={t('editNamed', { name: t('traffic') })}>
          {traffic_action === 'redirect' ? (
            ((words && redirecting && pluginSummary(words(redirecting.name), redirecting, redirection)) ??
            t('redirect'))
          ) : (
            <>
              <ul className="font-mono text-sm">
                {meantTargets(upstreams).map((target) => (
                  <li key={`${target.host} ${target.port}`}>
                    {targetText(target, upstreams.protocol, upstreams.targets.length > 1)}
                  </li>
                ))}
              </ul>
              <span className={clsx('text-sm', isAnswered ? 'text-success' : 'text-muted')}>
                {t(isAnswered ? 'answered' : 'upstream', { protocol: tUpstreams(`protocol.${upstreams.protocol}`) })}
              </span>
              {admission.unchecked !== undefined && (
                <Unchecked admission={admission} onEdit={onEdit} onFound={onFound} />
              )}
            </>
          )}
        </Line>
      </dl>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t('remarks')} hint={t('remarksHint')} error={message(form.formState.errors.remarks)}>
          <Textarea {...form.register('remarks')} rows={1} />
        </Field>
        <Field label={t('note')} hint={t('noteHint')} error={message(form.formState.errors.note)}>
          <TextInput {...form.register('note')} maxLength={NOTE_MAX} />
        </Field>
      </div>
      <div className="rounded-control bg-sunken px-4 py-3">
        <p className="font-medium">{t('next.title')}</p>
        <ol className="mt-1.5 list-decimal space-y-1 pl-5 text-muted">
          <li>{t('next.deploy')}</li>
          <li>{t('next.point')}</li>
          <li>{t('next.serve')}</li>
        </ol>
      </div>
    </section>
  );
}
