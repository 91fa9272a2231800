import { UPSTREAM_TARGETS_MAX, type UpstreamProtocol, type UpstreamTarget } from '@cordon/contract';
import { Plus, Radar, Sparkles } from 'lucide-react';
import { Controller, type UseFieldArrayReturn, useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button';
import { SegmentedControl } from '../../ui/choice';
import { Field } from '../../ui/field';
import { joinSentences } from '../../ui/sentences';
import { defaultPort } from '../model/target-text';
import { useErrorList, useFieldMessage } from '../words/error-words';
import type { CertificateChoice } from './certificate-warning';
import { CertificateWarning } from './lazy-connection';
import { TargetRow } from './target-row';
import { emptyTarget, meantTargets, type UpstreamValues, verifiableTarget } from './upstream-values';
import { refusedCertificateOf, type Suggestion, useVerifyUpstreams, type Verification } from './use-verify-upstreams';

const PROTOCOLS: readonly UpstreamProtocol[] = ['http', 'https', 'http_https'];

/** Sets the protocol of the form. */
export function useProtocolChoice() {
  const form = useFormContext<UpstreamValues>();
  return (next: UpstreamProtocol) => {
    form.setValue('upstreams.protocol', next, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
    // What was wrong with a target may be right over the other protocol.
    if (form.formState.isSubmitted) void form.trigger('upstreams.targets');
  };
}

interface SuggestionOptions {
  targets: readonly UpstreamTarget[];
  protocol: UpstreamProtocol;
  suggestion: Suggestion | undefined;
  onProtocol: (protocol: UpstreamProtocol) => void;
}

/** Whether the form is as the answers suggest, and making it so. */
export function useSuggestion({ targets, protocol, suggestion, onProtocol }: SuggestionOptions) {
  const form = useFormContext<UpstreamValues>();
  const portOf = (target: UpstreamTarget) => suggestion?.ports.get(verifiableTarget(target) ?? '');
  const isApplied =
    suggestion?.protocol === protocol &&
    targets.every((target) => {
      const port = portOf(target);
      return protocol === 'http_https' || port === undefined || port === (target.port ?? defaultPort(protocol));
    });
  function apply() {
    if (!suggestion) return;
    onProtocol(suggestion.protocol);
    if (suggestion.protocol === 'http_https') return;
    targets.forEach((target, index) => {
      const port = portOf(target);
      if (port === undefined) return;
      form.setValue(`upstreams.targets.${index}.port`, port === defaultPort(suggestion.protocol) ? null : port, {
        shouldDirty: true,
      });
    });
  }
  return { isApplied, apply };
}

interface TargetButtonsProps {
  rows: UseFieldArrayReturn<UpstreamValues, 'upstreams.targets'>;
  targets: readonly UpstreamTarget[];
  verification: Verification;
  disabled: boolean | undefined;
}

/** "Add" and "Detect". */
function TargetButtons({ rows, targets, verification, disabled }: TargetButtonsProps) {
  const t = useTranslations('domain.upstreams');
  const canVerify = targets.some((target) => verifiableTarget(target) !== undefined);
  return (
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
  );
}

interface AnswersProps {
  verification: Verification;
  targets: readonly UpstreamTarget[];
  onProtocol: (protocol: UpstreamProtocol) => void;
  suggests: boolean;
  certificateChoice: CertificateChoice | undefined;
}

/** What the origins answered: the settings that fit all of them, and what does not fit. */
function Answers({ verification, targets, onProtocol, suggests, certificateChoice }: AnswersProps) {
  const t = useTranslations('domain.upstreams');
  const errorList = useErrorList();
  const { control } = useFormContext<UpstreamValues>();
  const upstreams = useWatch({ control, name: 'upstreams' });
  const { protocol } = upstreams;
  const { error, results, suggestion } = verification;
  const { isApplied, apply } = useSuggestion({ targets, protocol, suggestion, onProtocol });
  const isRefused = results.some((result) => refusedCertificateOf(result, upstreams) !== undefined);
  const protocols = new Set(results.flatMap((result) => result.suggested?.protocol ?? []));
  return (
    <div aria-live="polite">
      {error && <p className="mt-2 text-sm text-danger">{joinSentences(errorList(error))}</p>}
      {suggests && suggestion && !isApplied && (
        <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-control bg-soft px-3 py-2 text-primary-ink">
          <Sparkles size={16} className="shrink-0" aria-hidden />
          <span className="min-w-0 flex-1">
            {t('suggested', { protocol: t(`protocol.${suggestion.protocol}`), count: results.length })}
          </span>
          <Button size="sm" onClick={apply}>
            {t('useSuggested')}
          </Button>
        </p>
      )}
      {/* What answers with a certificate that will be refused does not fit: the warning says so. */}
      {suggestion && isApplied && !isRefused && <p className="mt-2 text-sm text-success">{t('suggestedApplied')}</p>}
      {isRefused && <CertificateWarning choice={certificateChoice} />}
      {protocols.size > 1 && <p className="mt-2 text-sm text-warning">{t('suggestedDiffer')}</p>}
    </div>
  );
}

interface ProtocolFieldProps {
  onChoose: (protocol: UpstreamProtocol) => void;
  disabled: boolean | undefined;
}

function ProtocolField({ onChoose, disabled }: ProtocolFieldProps) {
  const t = useTranslations('domain.upstreams');
  const message = useFieldMessage();
  const form = useFormContext<UpstreamValues>();
  const error = message(form.formState.errors.upstreams?.protocol);
  return (
    <Controller
      control={form.control}
      name="upstreams.protocol"
      render={({ field }) => (
        <Field label={t('protocolLabel')} hint={t(`protocolHint.${field.value}`)} error={error}>
          <SegmentedControl
            options={PROTOCOLS.map((value) => ({ value, label: t(`protocol.${value}`) }))}
            value={field.value}
            onValueChange={onChoose}
            disabled={disabled}
            className="self-start"
          />
        </Field>
      )}
    />
  );
}

interface UpstreamFieldsProps {
  disabled?: boolean;
  serverName?: string | undefined;
  /** Of a form that asks the targets by itself as well; one of its own unless given. */
  verification?: Verification;
  /** Whether what answered is suggested here; not where the form around it asks. */
  suggests?: boolean;
  /** Of a form that does not let go of targets whose certificate will be refused. */
  certificateChoice?: CertificateChoice | undefined;
}

/** Targets and protocol of the origin, with "Detect" that really connects. Works in any form with `UpstreamValues`. */
export function UpstreamFields({
  disabled,
  serverName,
  verification: given,
  suggests = true,
  certificateChoice,
}: UpstreamFieldsProps) {
  const t = useTranslations('domain.upstreams');
  const message = useFieldMessage();
  const form = useFormContext<UpstreamValues>();
  const rows = useFieldArray({ control: form.control, name: 'upstreams.targets' });
  const targets = meantTargets(useWatch({ control: form.control, name: 'upstreams' }));
  const own = useVerifyUpstreams(serverName);
  const verification = given ?? own;
  const choose = useProtocolChoice();
  const errors = form.formState.errors.upstreams?.targets;
  const isShared = rows.fields.length > 1;
  function remove(index: number) {
    rows.remove(index);
    // The button that was pressed is gone: to the row in its place, once that is drawn.
    const next = Math.min(index, rows.fields.length - 2);
    window.setTimeout(() => form.setFocus(`upstreams.targets.${next}.host`));
  }
  return (
    <div className="flex flex-col gap-5">
      <fieldset className="min-w-0">
        <legend className="sr-only">{t('targets')}</legend>
        <ol className="flex flex-col gap-2.5">
          {rows.fields.map((row, index) => (
            <TargetRow
              key={row.id}
              index={index}
              isShared={isShared}
              serverName={serverName}
              verified={targets[index] && verification.resultOf(targets[index])}
              onRemove={isShared ? () => remove(index) : undefined}
              disabled={disabled}
            />
          ))}
        </ol>
        {(errors?.root ?? errors?.message) && (
          <p role="alert" className="mt-2 text-sm text-danger">
            {message(errors?.root ?? (errors as never))}
          </p>
        )}
        <TargetButtons rows={rows} targets={targets} verification={verification} disabled={disabled} />
        {verification.isAbout(targets) && (
          <Answers
            verification={verification}
            targets={targets}
            onProtocol={choose}
            suggests={suggests}
            certificateChoice={certificateChoice}
          />
        )}
      </fieldset>
      <ProtocolField onChoose={choose} disabled={disabled} />
    </div>
  );
}
