import { UPSTREAM_WEIGHT_MAX } from '@cordon/contract';
import { Trash2 } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, Suspense, useState } from 'react';
import { Controller, useFormContext, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { IconButton } from '../../ui/button';
import { Field } from '../../ui/field';
import { lazyPart } from '../../ui/lazy-part';
import { NumberInput } from '../../ui/number-input';
import { Skeleton } from '../../ui/states';
import { Switch } from '../../ui/switch';
import { TextInput } from '../../ui/text-input';
import { defaultPort, readTypedTarget, type TypedTarget } from '../model/target-text';
import { useFieldMessage } from '../words/error-words';
import { useCertificateWords } from './certificate-words';
import { CERTIFICATE_REFUSED, type UpstreamValues } from './upstream-values';
import { refusedCertificateOf, type VerifiedUpstream } from './use-verify-upstreams';

/** Shown only once the targets were tried. */
const VerifiedProtocols = lazyPart(async () => ({ default: (await import('./verified-protocols')).VerifiedProtocols }));

interface PartProps {
  index: number;
  disabled: boolean | undefined;
}

/** What is typed, where it holds more than a host. */
function readMoreThanHost(text: string): TypedTarget | undefined {
  const typed = readTypedTarget(text);
  const isMore = isUrl(typed) || typed.port !== undefined || typed.leftOut !== undefined;
  return isMore ? typed : undefined;
}
const isUrl = ({ protocol, leavesProtocolOpen }: TypedTarget) => protocol !== undefined || leavesProtocolOpen === true;

const pathOf = (index: number) => `upstreams.targets.${index}` as const;

/** Input of the host. What is typed or pasted with a scheme or a port is taken apart into its fields. */
function useHostInput(index: number) {
  const form = useFormContext<UpstreamValues>();
  const path = pathOf(index);
  const protocol = useWatch({ control: form.control, name: 'upstreams.protocol' });
  const host = useWatch({ control: form.control, name: `${path}.host` });
  const [leftOut, setLeftOut] = useState<Pick<TypedTarget, 'leftOut' | 'hadUser'>>({});
  const set = { shouldDirty: true, shouldValidate: form.formState.isSubmitted } as const;

  function takeApart(text: string): boolean {
    const typed = readMoreThanHost(text);
    if (!typed) return false;
    const next = typed.protocol ?? protocol;
    setLeftOut(typed);
    if (typed.protocol) form.setValue('upstreams.protocol', typed.protocol, set);
    // A URL without a port means the usual one, whatever was here before.
    const port = typed.port ?? null;
    if (port !== null || isUrl(typed)) form.setValue(`${path}.port`, port === defaultPort(next) ? null : port, set);
    form.setValue(`${path}.host`, typed.host, set);
    return true;
  }
  const input = {
    ...form.register(`${path}.host`, {
      onBlur: (event: { target: HTMLInputElement }) => void takeApart(event.target.value),
      onChange: () => setLeftOut({}),
    }),
    onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
      // Before the form is sent: the field keeps the focus.
      if (event.key === 'Enter' && !event.nativeEvent.isComposing) takeApart(event.currentTarget.value);
    },
    onPaste(event: ClipboardEvent<HTMLInputElement>) {
      const { value, selectionStart, selectionEnd } = event.currentTarget;
      const isWhole = value.trim() === '' || (selectionStart === 0 && selectionEnd === value.length);
      if (isWhole && takeApart(event.clipboardData.getData('text'))) event.preventDefault();
    },
  };
  // Said while it is typed: a line that came as the field is left would move what is pressed then.
  return { input, ...(readMoreThanHost(host ?? '') ?? leftOut) };
}

function PortField({ index, disabled }: PartProps) {
  const t = useTranslations('domain.upstreams');
  const message = useFieldMessage();
  const form = useFormContext<UpstreamValues>();
  const protocol = useWatch({ control: form.control, name: 'upstreams.protocol' });
  const errors = form.formState.errors.upstreams?.targets?.[index];
  return (
    <Controller
      control={form.control}
      name={`${pathOf(index)}.port`}
      render={({ field }) => (
        <Field label={t('port')} error={message(errors?.port)} className="w-24">
          <NumberInput
            ref={field.ref}
            value={field.value}
            onValueChange={field.onChange}
            onBlur={field.onBlur}
            min={1}
            max={65_535}
            placeholder={String(defaultPort(protocol) ?? '')}
            disabled={disabled}
          />
        </Field>
      )}
    />
  );
}

/** How the target shares the traffic with the others. */
function SharingFields({ index, disabled }: PartProps) {
  const t = useTranslations('domain.upstreams');
  const message = useFieldMessage();
  const form = useFormContext<UpstreamValues>();
  const path = pathOf(index);
  const errors = form.formState.errors.upstreams?.targets?.[index];
  return (
    <>
      <Controller
        control={form.control}
        name={`${path}.weight`}
        render={({ field }) => (
          <Field label={t('weight')} error={message(errors?.weight)} className="w-20">
            <NumberInput
              ref={field.ref}
              value={Number.isFinite(field.value) ? field.value : null}
              onValueChange={(value) => field.onChange(value ?? Number.NaN)}
              onBlur={field.onBlur}
              min={1}
              max={UPSTREAM_WEIGHT_MAX}
              disabled={disabled}
            />
          </Field>
        )}
      />
      <Field label={t('backup')} className="w-20">
        <span className="flex h-9 items-center touch:h-10">
          <Switch {...form.register(`${path}.backup`)} disabled={disabled} />
        </span>
      </Field>
    </>
  );
}

interface TargetRowProps {
  index: number;
  /** Weight and part are asked for only where there is something to share. */
  isShared: boolean;
  verified: VerifiedUpstream | undefined;
  /** What the edge asks for in TLS; the target's own name unless given. */
  serverName: string | undefined;
  onRemove: (() => void) | undefined;
  disabled?: boolean;
}

/** One upstream target. */
export function TargetRow({ index, isShared, verified, serverName, onRemove, disabled }: TargetRowProps) {
  const t = useTranslations('domain.upstreams');
  const message = useFieldMessage();
  const form = useFormContext<UpstreamValues>();
  const protocol = useWatch({ control: form.control, name: 'upstreams.protocol' });
  const errors = form.formState.errors.upstreams?.targets?.[index];
  const certificateWords = useCertificateWords();
  const upstreams = useWatch({ control: form.control, name: 'upstreams' });
  const isRefused = errors?.host?.type === CERTIFICATE_REFUSED;
  const refused = isRefused && verified ? refusedCertificateOf(verified, upstreams) : undefined;
  const { input: host, leftOut, hadUser } = useHostInput(index);
  return (
    <li className="relative rounded-control border border-line bg-page/60 p-3">
      <div className="flex flex-wrap items-start gap-3">
        <Field
          label={t('host')}
          required
          error={refused ? certificateWords(refused, serverName ?? verified?.upstream ?? '') : message(errors?.host)}
          hint={!errors?.host && ((hadUser && t('userLeftOut')) || (leftOut && t('leftOut', { text: leftOut })))}
          className={isShared ? 'min-w-48 flex-1 phone:min-w-full' : 'min-w-0 flex-1'}
        >
          <TextInput
            {...host}
            mono
            placeholder="198.41.128.7"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            disabled={disabled}
          />
        </Field>
        {protocol !== 'http_https' && <PortField index={index} disabled={disabled} />}
        {isShared && <SharingFields index={index} disabled={disabled} />}
        {onRemove && (
          <IconButton
            label={t('remove', { number: index + 1 })}
            icon={<Trash2 size={16} aria-hidden />}
            onClick={onRemove}
            disabled={disabled}
            className="mt-[26px] ml-auto phone:absolute phone:right-1 phone:bottom-3 phone:mt-0"
          />
        )}
      </div>
      {/* What failed and stands at the field is said once. */}
      {verified && !errors?.host && (
        <Suspense fallback={<Skeleton className="h-6" />}>
          <VerifiedProtocols verified={verified} serverName={serverName} />
        </Suspense>
      )}
    </li>
  );
}
