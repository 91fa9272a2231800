import { ApiError } from '@cordon/contract';
import { ALLOWED_FEED } from '@cordon/plugin-kit/feeds';
import { useQuery } from '@tanstack/react-query';
import { ListPlus } from 'lucide-react';
import { type FormEvent, Suspense, useId, useMemo, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Callout } from '../../../domain/form/callout';
import { useStandingError } from '../../../domain/form/use-standing-error';
import { useFeedGaps } from '../../../domain/plugins/feed-gaps';
import { useGapParts } from '../../../domain/plugins/gap-parts';
import GapsCallout from '../../../domain/plugins/gaps-callout';
import { useCodeWords, useSaveErrorList } from '../../../domain/words/error-words';
import { Button } from '../../../ui/button';
import { SegmentedControl } from '../../../ui/choice';
import { CloseButton } from '../../../ui/closing';
import { Dialog } from '../../../ui/dialog';
import { Field } from '../../../ui/field';
import { useFormat } from '../../../ui/format';
import { lazyPart } from '../../../ui/lazy-part';
import { useLeadToError } from '../../../ui/lead-to-error';
import { notify } from '../../../ui/notices';
import { joinSentences } from '../../../ui/sentences';
import { Skeleton } from '../../../ui/states';
import { Textarea, TextInput } from '../../../ui/text-input';
import { NetworkNotices } from '../entries/network-notices';
import { type AddValues, isLengthWrong, LENGTHS, readEntries, START_VALUES, toBody, wrongEntries } from './add-values';
import { type AllowedResult, allowListOptions } from './queries';
import { useAllowNetworks } from './use-allow-networks';
import { useRestedText } from './use-rested-text';

const DurationInput = lazyPart(async () => ({ default: (await import('../../../ui/duration-input')).DurationInput }));

/** Asked only for how many there are. */
const FIRST = { page: 1, perpage: 10 } as const;

/** Longer than other notices: there is more to read. */
const REMARKS_MS = 10_000;

/** Says what became of what was given. */
function useNotifyDone() {
  const t = useTranslations('bans.allowList.add');
  const tList = useTranslations('bans.allowList');
  const gaps = useFeedGaps(ALLOWED_FEED, undefined);
  const parts = useGapParts();
  return ({ added, replaced, merged, ignored, overridden_bans: overridden }: AllowedResult) => {
    const isKept = added + replaced > 0;
    const remarks = [
      replaced > 0 && t('replaced', { count: replaced }),
      merged > 0 && t('merged', { count: merged }),
      ignored > 0 && t('ignored', { count: ignored }),
      overridden > 0 && t('overridden', { count: overridden }),
      isKept && gaps !== undefined && tList.markup('gaps', parts.plain(gaps)).trim(),
    ].filter((text) => text !== false);
    notify({
      tone: isKept && !gaps ? 'success' : 'warning',
      title: t('done', { count: added }),
      ...(remarks.length > 0 && { description: joinSentences(remarks), durationMs: REMARKS_MS }),
    });
  };
}

interface PartProps {
  values: AddValues;
  set: (change: Partial<AddValues>) => void;
}

/** How long. */
function LengthFields({ values, set, wasTried }: PartProps & { wasTried: boolean }) {
  const t = useTranslations('bans.allowList.add');
  return (
    <>
      <Field label={t('length')}>
        <SegmentedControl
          options={LENGTHS.map((value) => ({ value, label: t(`lengths.${value}`) }))}
          value={values.length}
          onValueChange={(length) => set({ length })}
          className="self-start phone:flex-wrap"
        />
      </Field>
      {values.length === 'own' && (
        <Field label={t('ownLength')} error={wasTried && isLengthWrong(values) ? t('lengthBounds') : undefined}>
          <Suspense fallback={<Skeleton className="h-9 w-52 touch:h-10" />}>
            <DurationInput value={values.own} onValueChange={(own) => set({ own })} />
          </Suspense>
        </Field>
      )}
    </>
  );
}

/** Values, faults and what the API refused. */
function useAddForm(address: string | undefined, onClose: () => void) {
  const t = useTranslations('bans.allowList.add');
  const tNotices = useTranslations('bans.notices');
  const format = useFormat();
  const codeWords = useCodeWords();
  const errorList = useSaveErrorList();
  const notifyDone = useNotifyDone();
  const allow = useAllowNetworks();
  const { count: onList = 0, maximum: listMax = 0 } = useQuery(allowListOptions(FIRST, true)).data ?? {};
  const element = useRef<HTMLFormElement>(null);
  const textarea = useRef<HTMLTextAreaElement & HTMLInputElement>(null);
  const leadToError = useLeadToError(element);
  const [values, setValues] = useState<AddValues>({ ...START_VALUES, text: address ?? '' });
  const [wasTried, setTried] = useState(false);
  const rested = useRestedText(values.text);
  const given = useMemo(() => (rested === undefined ? undefined : readEntries(rested)), [rested]);
  const wrong = useMemo(
    () => (wasTried && rested !== undefined ? wrongEntries(rested) : undefined),
    [wasTried, rested],
  );
  const error = useStandingError(allow.error, undefined);
  const refused = error instanceof ApiError ? error.fields.networks : undefined;

  /** The bound is of the whole list, not of what is added. */
  const tooMany = (maximum: number) => t('tooMany', { maximum, onList, room: Math.max(0, maximum - onList) });

  function networksError(): string | undefined {
    if (given && listMax > 0 && given.networks.length > listMax) return tooMany(listMax);
    if (!wasTried) return undefined;
    if (given?.count === 0) return t('required');
    if (wrong?.first)
      return t('wrong', {
        count: wrong.count,
        entries: format.list([
          ...wrong.shown.map((one) => t('wrongAt', one)),
          ...(wrong.count > wrong.shown.length ? [t('wrongMore', { count: wrong.count - wrong.shown.length })] : []),
        ]),
      });
    if (given?.networks.length === 0) return tNotices('nothingLeft');
    if (refused === undefined) return undefined;
    const params = (error as ApiError).body?.params?.networks;
    const maximum = Number(params?.maximum);
    if (refused === 'TOO_MANY' && listMax > 0) return tooMany(maximum);
    return codeWords(refused, params);
  }
  return {
    values,
    given,
    onList,
    listMax,
    element,
    textarea,
    wasTried,
    isPending: allow.isPending,
    networksError: networksError(),
    failure: error && refused === undefined ? joinSentences(errorList(error)) : undefined,
    set(change: Partial<AddValues>) {
      setValues((before) => ({ ...before, ...change }));
      allow.reset();
    },
    async submit(event: FormEvent) {
      event.preventDefault();
      setTried(true);
      if (allow.isPending) return;
      const { first } = wrongEntries(values.text);
      if (first) {
        textarea.current?.focus();
        return textarea.current?.setSelectionRange(first.start, first.end);
      }
      const { networks } = readEntries(values.text);
      const isTooMany = listMax > 0 && networks.length > listMax;
      // What was refused is not sent a second time as it is.
      if (networks.length === 0 || isTooMany || refused !== undefined || isLengthWrong(values)) return leadToError();
      try {
        notifyDone(await allow.mutateAsync(toBody(values)));
        onClose();
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        leadToError();
      }
    },
  };
}

/** Adds addresses and ranges to the allow list of the account: many, or the one that a request came from, which takes a line. */
export default function AddDialog({ address, onClose }: { address?: string | undefined; onClose: () => void }) {
  const t = useTranslations('bans.allowList.add');
  const gaps = useFeedGaps(ALLOWED_FEED, undefined);
  const tUi = useTranslations('ui');
  const formId = useId();
  const { values, set, given, ...form } = useAddForm(address, onClose);
  // With a wrong one among them, nothing is added: no number is promised.
  const count = given && given.valid.length === given.count ? given.networks.length : 0;
  const typed = {
    ref: form.textarea,
    mono: true,
    value: values.text,
    spellCheck: false,
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => set({ text: event.target.value }),
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('title')}
      description={t('body')}
      busy={form.isPending}
      dirty={values.text.trim() !== (address ?? '') || values.note !== ''}
      footer={
        <>
          <CloseButton>{tUi('cancel')}</CloseButton>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            icon={<ListPlus size={16} aria-hidden />}
            loading={form.isPending}
          >
            {count > 1 ? t('submitMany', { count }) : t('submit')}
          </Button>
        </>
      }
    >
      <form ref={form.element} id={formId} onSubmit={form.submit} noValidate className="flex flex-col gap-4">
        {form.failure && (
          <Callout tone="danger" role="alert">
            {form.failure}
          </Callout>
        )}
        <Field
          label={t('networks')}
          hint={address === undefined ? t('networksHint', { onList: form.onList, maximum: form.listMax }) : undefined}
          error={form.networksError}
          aside={
            address === undefined ? (
              <span className="text-sm text-muted">{given ? t('entries', { count: given.count }) : '\u00a0'}</span>
            ) : undefined
          }
        >
          {address === undefined ? (
            <Textarea {...typed} rows={8} placeholder={'198.41.128.7\n198.41.128.0/24'} />
          ) : (
            <TextInput {...typed} />
          )}
        </Field>
        {given && <NetworkNotices networks={given.valid} />}
        {gaps && <GapsCallout gaps={gaps} of="bans.allowList" />}
        <Field label={t('note')} hint={t('noteHint')}>
          <TextInput value={values.note} maxLength={200} onChange={(event) => set({ note: event.target.value })} />
        </Field>
        <LengthFields values={values} set={set} wasTried={form.wasTried} />
      </form>
    </Dialog>
  );
}
