import { UPSTREAM_TARGETS_MAX, type UpstreamProtocol } from '@cordon/contract';
import { Plus, Radar, Sparkles } from 'lucide-react';
import { Controller, useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button';
import { SegmentedControl } from '../../ui/choice';
import { Field } from '../../ui/field';
import { defaultPort } from '../model/target-text';
import { useErrorList, useFieldMessage } from '../words/error-words';
import { CertificateWarning } from './lazy-connection';
import { TargetRow } from './target-row';
import { emptyTarget, type UpstreamValues, verifiableTarget } from './upstream-values';
import { useVerifyUpstreams } from './use-verify-upstreams';

const PROTOCOLS: readonly UpstreamProtocol[] = ['http', 'https', 'http_https'];

/** Targets and protocol of the origin, with "Detect" that really connects. Works in any form with `UpstreamValues`. */
export function UpstreamFields({ disabled, serverName }: { disabled?: boolean; serverName?: string | undefined }) {
  const t = useTranslations('domain.upstreams');
  const message = useFieldMessage();
  const errorList = useErrorList();
  const form = useFormContext<UpstreamValues>();
  const rows = useFieldArray({ control: form.control, name: 'upstreams.targets' });
  const targets = useWatch({ control: form.control, name: 'upstreams.targets' });
  const protocol = useWatch({ control: form.control, name: 'upstreams.protocol' });
  const tlsVerification = useWatch({ control: form.control, name: 'upstreams.tls_verification' });
  const verification = useVerifyUpstreams(serverName);
  const wrongCertificates = tlsVerification === 'strict' && protocol !== 'http' ? verification.wrongCertificates : [];
  const errors = form.formState.errors.upstreams;
  const canVerify = targets.some((target) => verifiableTarget(target) !== undefined);

  function choose(next: UpstreamProtocol) {
    form.setValue('upstreams.protocol', next, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
    // A port must not be given where the edge follows the visitor.
    if (next !== 'http_https') return;
    for (const index of targets.keys()) form.setValue(`upstreams.targets.${index}.port`, null, { shouldDirty: true });
  }
  function apply() {
    const { suggestion } = verification;
    if (!suggestion) return;
    choose(suggestion.protocol);
    if (suggestion.protocol === 'http_https') return;
    targets.forEach((target, index) => {
      const port = suggestion.ports.get(verifiableTarget(target) ?? '');
      if (port === undefined) return;
      form.setValue(`upstreams.targets.${index}.port`, port === defaultPort(suggestion.protocol) ? null : port, {
        shouldDirty: true,
      });
    });
  }
  const suggested = verification.suggestion;
  const answers = new Set(verification.results.flatMap((result) => result.suggested?.protocol ?? []));
  const isApplied =
    suggested?.protocol === protocol &&
    targets.every((target) => {
      const port = suggested.ports.get(verifiableTarget(target) ?? '');
      return protocol === 'http_https' || port === undefined || port === (target.port ?? defaultPort(protocol));
    });

  return (
    <div className="flex flex-col gap-5">
      <fieldset className="min-w-0">
        <legend className="sr-only">{t('targets')}</legend>
        <ol className="flex flex-col gap-2.5">
          {rows.fields.map((row, index) => (
            <TargetRow
              key={row.id}
              index={index}
              isShared={rows.fields.length > 1}
              verified={targets[index] && verification.resultOf(targets[index])}
              onRemove={rows.fields.length > 1 ? () => rows.remove(index) : undefined}
              disabled={disabled}
            />
          ))}
        </ol>
        {(errors?.targets?.root ?? errors?.targets?.message) && (
          <p role="alert" className="mt-2 text-sm text-danger">
            {message(errors?.targets?.root ?? (errors?.targets as never))}
          </p>
        )}
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <Button
            size="sm"
            icon={<Plus size={16} aria-hidden />}
            disabled={disabled || rows.fields.length >= UPSTREAM_TARGETS_MAX}
            onClick={() => rows.append(emptyTarget(), { focusName: `upstreams.targets.${rows.fields.length}.host` })}
          >
            {t('add')}
          </Button>
          <Button
            size="sm"
            icon={<Radar size={16} aria-hidden />}
            loading={verification.isVerifying}
            disabled={disabled || !canVerify}
            onClick={() => verification.verify(targets)}
          >
            {t('verify')}
          </Button>
          <span className="text-sm text-muted phone:w-full" aria-live="polite">
            {verification.isVerifying
              ? t('verifying')
              : verification.results.length === 0 && !verification.error
                ? t('verifyHint')
                : null}
          </span>
        </div>
        <div aria-live="polite">
          {verification.error && <p className="mt-2 text-sm text-danger">{errorList(verification.error).join(' ')}</p>}
          {suggested && !isApplied && (
            <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-control bg-soft px-3 py-2 text-primary-ink">
              <Sparkles size={16} className="shrink-0" aria-hidden />
              <span className="min-w-0 flex-1">
                {t('suggested', { protocol: t(`protocol.${suggested.protocol}`), count: verification.results.length })}
              </span>
              <Button size="sm" onClick={apply}>
                {t('useSuggested')}
              </Button>
            </p>
          )}
          {/* What answers with a certificate that will be refused does not fit: the warning says so. */}
          {suggested && isApplied && wrongCertificates.length === 0 && (
            <p className="mt-2 text-sm text-success">{t('suggestedApplied')}</p>
          )}
          {wrongCertificates.length > 0 && <CertificateWarning found={wrongCertificates} serverName={serverName} />}
          {answers.size > 1 && <p className="mt-2 text-sm text-warning">{t('suggestedDiffer')}</p>}
        </div>
      </fieldset>
      <Controller
        control={form.control}
        name="upstreams.protocol"
        render={({ field }) => (
          <Field label={t('protocolLabel')} hint={t(`protocolHint.${field.value}`)} error={message(errors?.protocol)}>
            <SegmentedControl
              options={PROTOCOLS.map((value) => ({ value, label: t(`protocol.${value}`) }))}
              value={field.value}
              onValueChange={choose}
              disabled={disabled}
              className="self-start"
            />
          </Field>
        )}
      />
    </div>
  );
}
