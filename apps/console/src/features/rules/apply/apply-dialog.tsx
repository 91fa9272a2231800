import { ApiError } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { BatchProgress } from '../../../domain/batches/batch-progress';
import { batchOptions } from '../../../domain/batches/queries';
import { isStale } from '../../../domain/data/use-saves';
import { Callout } from '../../../domain/form/callout';
import { SaveButtons } from '../../../domain/form/save-buttons';
import { useAsked } from '../../../domain/form/use-asked';
import { useErrorList } from '../../../domain/words/error-words';
import { pluginName, usePluginWords } from '../../../domain/words/plugin-words';
import { Button } from '../../../ui/button';
import { CloseButton } from '../../../ui/closing';
import { Dialog } from '../../../ui/dialog';
import { useFormat } from '../../../ui/format';
import { joinSentences } from '../../../ui/sentences';
import type { Applicable, Selection, Shown } from './apply-types';
import { DomainPicker, selectionOf, startChoice } from './domain-picker';
import { PreviewList } from './preview-list';

interface ApplyDialogProps extends Applicable {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The domains are settled: begin with what changes. */
  only?: Selection | undefined;
  /** Once it is closed after something was started. */
  onClosed?: ((batchId: string) => void) | undefined;
}

/** Follows the batch to its end, so that what it changed is read anew; whether it is there. */
function useEnd(batchId: string | undefined, onEnded: () => void): boolean {
  const { data } = useQuery({ ...batchOptions(batchId ?? ''), enabled: batchId !== undefined });
  const hasEnded = batchId !== undefined && data !== undefined && data.state !== 'running';
  const end = useRef(onEnded);
  end.current = onEnded;
  useEffect(() => {
    if (hasEnded) end.current();
  }, [hasEnded]);
  return hasEnded;
}

/** What becomes of lists, and of what is only switched off. */
function useHow({ lists, onlyOff = [] }: Applicable): string {
  const t = useTranslations('apply');
  const format = useFormat();
  const words = usePluginWords();
  const plugins = format.list(onlyOff.map((name) => (words ? pluginName(words(name), name) : name)));
  return joinSentences([lists && t(`lists.${lists}`), onlyOff.length > 0 && t('onlyOff', { plugins })]);
}

/** Brings plugins to many domains: which ones, what changes on each, then as drafts or deployed, as one batch. */
export default function ApplyDialog({ open, onOpenChange: change, only, onClosed, ...applicable }: ApplyDialogProps) {
  const t = useTranslations('apply');
  const tUi = useTranslations('ui');
  const errorList = useErrorList();
  const [choice, setChoice] = useState(startChoice);
  const [selection, setSelection] = useState(only);
  const [shown, setShown] = useState<Shown>();
  const [saving, setSaving] = useState<'draft' | 'deploy'>();
  const [error, setError] = useState<unknown>();
  /** The question is before the eyes whether to deploy what stops many, or may. */
  const [isAsked, setAsked] = useState(false);
  const [batchId, setBatchId] = useState<string>();
  const start = useRef<HTMLDivElement>(null);
  const hasEnded = useEnd(batchId, applicable.onEnded);
  const how = useHow(applicable);
  const chosen = selectionOf(choice);
  const { about, ask } = useAsked(open, applicable);
  function onOpenChange(next: boolean) {
    change(next);
    if (!next && batchId !== undefined) onClosed?.(batchId);
  }
  const isNothing = shown === 'nothing';
  const step = batchId !== undefined ? 'started' : selection ? 'check' : 'choose';

  async function apply(deploy: boolean, note: string) {
    if (!selection) return;
    if (deploy && (shown === 'stops' || shown === 'unknown') && !isAsked) return setAsked(true);
    setSaving(deploy ? 'deploy' : 'draft');
    setError(undefined);
    try {
      setBatchId((await ask(() => about.apply(selection, { deploy, note }))).id);
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setError(failure);
      if (isStale(failure)) applicable.onStale();
    } finally {
      setSaving(undefined);
    }
  }
  const stale = error instanceof ApiError && isStale(error);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      // As high as what is in it once that is settled.
      tall={step !== 'started' && !isNothing}
      busy={saving !== undefined}
      keepOnOutsidePress
      initialFocus={step === 'choose' ? undefined : start}
      title={applicable.title}
      description={isNothing ? t('nothing') : (step === 'check' && how) || t(hasEnded ? 'step.ended' : `step.${step}`)}
      footer={
        step === 'choose' ? (
          <>
            <CloseButton>{tUi('cancel')}</CloseButton>
            <Button variant="primary" disabled={!chosen} onClick={() => setSelection(chosen)}>
              {t('continue')}
            </Button>
          </>
        ) : step === 'check' ? (
          <>
            {only ? (
              <CloseButton>{tUi(isNothing ? 'close' : 'cancel')}</CloseButton>
            ) : (
              <Button
                disabled={saving !== undefined}
                onClick={() => {
                  setSelection(undefined);
                  setAsked(false);
                }}
              >
                {t('back')}
              </Button>
            )}
            {isNothing ? (
              !only && <CloseButton>{tUi('close')}</CloseButton>
            ) : (
              <SaveButtons
                isDirty
                disabled={!shown}
                saving={saving}
                onSave={(deploy, note) => void apply(deploy, note)}
                words={{ draft: t('asDrafts'), deploy: t(isAsked ? 'deployAnyway' : 'deploy') }}
              />
            )}
          </>
        ) : (
          <Button onClick={() => onOpenChange(false)}>{tUi('close')}</Button>
        )
      }
    >
      <div ref={start} tabIndex={-1} className="flex flex-col gap-4 outline-none">
        {error !== undefined && (
          <Callout tone={stale ? 'warning' : 'danger'} role="alert">
            {stale ? t('stale') : joinSentences(errorList(error))}
          </Callout>
        )}
        {step === 'check' && isAsked && (
          <Callout tone="danger" role="alert">
            {t(shown === 'unknown' ? 'unknown' : 'stops')}
          </Callout>
        )}
        {step === 'choose' && <DomainPicker applicable={applicable} choice={choice} onChange={setChoice} />}
        {step === 'check' && selection && (
          <PreviewList applicable={applicable} selection={selection} onShown={setShown} />
        )}
        {step === 'started' && batchId !== undefined && (
          <BatchProgress named batchId={batchId} onStarted={setBatchId} onLeave={() => onOpenChange(false)} />
        )}
      </div>
    </Dialog>
  );
}
