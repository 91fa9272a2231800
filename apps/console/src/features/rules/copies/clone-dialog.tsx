import { ApiError, CLONES_MAX, parseDomainName, type RouteSummary } from '@cordon/contract';
import { useMutation } from '@tanstack/react-query';
import { Rocket } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../../app/api-client';
import { fieldTexts } from '../../../app/failure';
import { useSubscriptions } from '../../../app/subscriptions';
import { BatchProgress } from '../../../domain/batches/batch-progress';
import { namesLeft } from '../../../domain/data/names-left';
import { Callout } from '../../../domain/form/callout';
import { NamesShort } from '../../../domain/form/names-short';
import { useStandingError } from '../../../domain/form/use-standing-error';
import { useCodeWords, useSaveErrorList } from '../../../domain/words/error-words';
import { Button } from '../../../ui/button';
import { CloseButton } from '../../../ui/closing';
import { Dialog } from '../../../ui/dialog';
import { Field } from '../../../ui/field';
import { useLeadToError } from '../../../ui/lead-to-error';
import { joinSentences } from '../../../ui/sentences';
import { TagListInput } from '../../../ui/tag-list-input';
import { TextInput } from '../../../ui/text-input';

const REMARKS_MAX = 1000;

interface CloneDialogProps {
  route: RouteSummary;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The names of the new domains, and making them. */
function useCloneForm(route: RouteSummary, onError: () => void) {
  const codeWords = useCodeWords();
  const [names, setNames] = useState<string[]>([]);
  const [remarks, setRemarks] = useState('');
  const [wasTried, setTried] = useState(false);
  const [saving, setSaving] = useState<'draft' | 'deploy'>();
  const clone = useMutation({
    mutationFn: async (deploy: boolean) =>
      (
        await api.cloneRoute({
          params: { id: route.id },
          body: { domain_names: names, remarks: remarks.trim(), deploy },
        })
      ).result,
    meta: { isSilent: true },
  });
  // What was refused was refused of a name; it leaves with it.
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const errorOf = (name: string) => {
    const parsed = parseDomainName(name);
    return parsed.ok ? refused[name] : codeWords(parsed.code);
  };
  const isTooMany = names.length > CLONES_MAX;
  const subscription = useSubscriptions().subscriptions?.find(({ cname }) => cname === route.subscription_cname);
  const left = subscription && namesLeft(subscription);
  const isOver = left !== undefined && names.length > left;

  async function start(deploy: boolean) {
    setTried(true);
    if (names.length === 0 || isTooMany || isOver || names.some((name) => !parseDomainName(name).ok)) return onError();
    setRefused({});
    setSaving(deploy ? 'deploy' : 'draft');
    try {
      await clone.mutateAsync(deploy);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const texts = fieldTexts(error);
      setRefused(
        Object.fromEntries(
          names.flatMap((name, index) => {
            const text = texts[`domain_names.${index}`];
            return text === undefined ? [] : [[name, text]];
          }),
        ),
      );
      onError();
    } finally {
      setSaving(undefined);
    }
  }
  return {
    names,
    setNames,
    remarks,
    setRemarks,
    errorOf,
    isTooMany,
    left,
    isOver,
    wasTried,
    saving,
    error: useStandingError(clone.error, names),
    start,
    /** Of what was started. */
    batchId: clone.data?.id,
  };
}

interface PartProps {
  form: ReturnType<typeof useCloneForm>;
}

function CloneFields({ form }: PartProps) {
  const { names, setNames, remarks, setRemarks, errorOf, isTooMany, left, isOver, wasTried, error } = form;
  const t = useTranslations('copies.clone');
  const errorList = useSaveErrorList();
  const fields = fieldTexts(error);
  const namesError = isTooMany
    ? t('tooMany', { maximum: CLONES_MAX })
    : wasTried && names.length === 0
      ? t('namesRequired')
      : Object.entries(fields).find(([path]) => !/^domain_names\.\d+$/.test(path))?.[1];
  return (
    <div className="flex flex-col gap-4">
      {error && Object.keys(fields).length === 0 && (
        <Callout tone="danger" role="alert">
          {joinSentences(errorList(error))}
        </Callout>
      )}
      {(left === 0 || isOver) && (
        <NamesShort>{t('over', { over: names.length - (left ?? 0), left: left ?? 0 })}</NamesShort>
      )}
      <Field
        label={t('names')}
        hint={joinSentences([t('namesHint'), left !== undefined && left > 0 && t('left', { left })])}
        error={namesError}
        required
      >
        <TagListInput
          value={names}
          onValueChange={setNames}
          errorOf={errorOf}
          normalize={(name) => {
            const parsed = parseDomainName(name);
            return parsed.ok ? parsed.name : name;
          }}
          placeholder="www.example.com"
        />
      </Field>
      <Field label={t('remarks')} hint={t('remarksHint')}>
        <TextInput value={remarks} maxLength={REMARKS_MAX} onChange={(event) => setRemarks(event.target.value)} />
      </Field>
      <Callout tone="info">{t('notCopied')}</Callout>
    </div>
  );
}

function CloneButtons({ form: { saving, start, left } }: PartProps) {
  const t = useTranslations('copies.clone');
  const tUi = useTranslations('ui');
  return (
    <>
      <CloseButton>{tUi('cancel')}</CloseButton>
      <Button
        loading={saving === 'draft'}
        disabled={saving === 'deploy' || left === 0}
        onClick={() => void start(false)}
      >
        {t('asDraft')}
      </Button>
      <Button
        variant="primary"
        icon={<Rocket size={16} aria-hidden />}
        loading={saving === 'deploy'}
        disabled={saving === 'draft' || left === 0}
        onClick={() => void start(true)}
      >
        {t('deploy')}
      </Button>
    </>
  );
}

/** New domains with the settings of this one. */
export default function CloneDialog({ route, open, onOpenChange }: CloneDialogProps) {
  const t = useTranslations('copies.clone');
  const tUi = useTranslations('ui');
  const body = useRef<HTMLDivElement>(null);
  const leadToError = useLeadToError(body);
  const form = useCloneForm(route, leadToError);
  const { batchId } = form;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('title', { name: route.domain_name_unicode })}
      description={t('body')}
      dirty={form.names.length > 0 && batchId === undefined}
      busy={form.saving !== undefined}
      footer={
        batchId === undefined ? (
          <CloneButtons form={form} />
        ) : (
          <Button variant="primary" onClick={() => onOpenChange(false)}>
            {tUi('close')}
          </Button>
        )
      }
    >
      {batchId === undefined ? (
        <div ref={body}>
          <CloneFields form={form} />
        </div>
      ) : (
        <BatchProgress named batchId={batchId} />
      )}
    </Dialog>
  );
}
