import type { Route } from '@cordon/contract';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { fieldTexts } from '../../../app/failure';
import { readNewestRoute } from '../../../domain/data/queries';
import { isStale, useSaves } from '../../../domain/data/use-saves';
import { useUpdateRoute } from '../../../domain/data/use-update-route';
import { useStandingError } from '../../../domain/form/use-standing-error';
import { useSaveErrorList } from '../../../domain/words/error-words';
import { Button } from '../../../ui/button';
import { DiscardQuestion } from '../../../ui/discard-question';
import { Field } from '../../../ui/field';
import { joinSentences } from '../../../ui/sentences';
import { Textarea } from '../../../ui/text-input';
import { useUnsavedChanges } from '../../../ui/unsaved-changes';

const REMARKS_CHARACTERS_MAX = 1000;

/**
 * Remarks are no part of the configuration: they are saved at once and need no deploy. What another user did to the
 * configuration meanwhile is none of their business, but another remark is never replaced unseen.
 */
export default function RemarksEditor({ route, onEnd }: { route: Route; onEnd: () => void }) {
  const t = useTranslations('domain.page.remarks');
  const errorList = useSaveErrorList();
  const client = useQueryClient();
  const save = useUpdateRoute(route.id);
  const readNewest = () => readNewestRoute(client, route.id);
  const saves = useSaves({ send: save.mutateAsync, revisionOf: (one: Route) => one.draft_revision, readNewest });
  const [base, setBase] = useState(route);
  const [text, setText] = useState(route.remarks);
  const [theirs, setTheirs] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const remarks = text.trim();
  const typed = useRef(text);
  typed.current = text;
  const isUnsaved = remarks !== base.remarks || saves.isUnanswered;
  useUnsavedChanges(isUnsaved);

  /** Saves upon a draft, as long as its remarks are those that editing began with. */
  async function saveUpon(newest: Route, isRepeated = false): Promise<void> {
    if (newest.remarks !== saves.latestOf(base).remarks) {
      setTheirs(newest.remarks);
      setBase(newest);
      save.reset();
      return;
    }
    setTheirs(undefined);
    try {
      const saved = await saves.save(newest, { remarks });
      // What is typed while it is on its way stays.
      if (typed.current === text) onEnd();
      else setBase(saved);
    } catch (error) {
      if (isRepeated || !isStale(error)) return;
      const read = await readNewest();
      if (read) await saveUpon(read, true);
    }
  }
  function submit(event?: FormEvent) {
    event?.preventDefault();
    if (save.isPending) return;
    const isNewer = route.draft_revision > base.draft_revision && !saves.isUnanswered;
    if (isUnsaved) void saveUpon(isNewer ? route : base);
    else onEnd();
  }
  function giveUp() {
    if (isUnsaved) setAsking(true);
    else onEnd();
  }
  function onKeyDown(event: KeyboardEvent) {
    // An input method's own Enter and Escape choose its words.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') giveUp();
    else if (event.key === 'Enter' && !event.shiftKey) submit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  const error = useStandingError(save.error, text);
  const failure = error ? (fieldTexts(error).remarks ?? joinSentences(errorList(error))) : undefined;
  const meanwhile = theirs === undefined ? undefined : theirs === '' ? t('removed') : t('changed', { remarks: theirs });
  return (
    <>
      <form onSubmit={submit} className="flex max-w-2xl flex-wrap items-start gap-2 py-1">
        <Field
          label={t('label')}
          hideLabel
          hint={t('hint')}
          error={meanwhile ?? failure}
          className="flex-1 basis-72 phone:basis-full"
        >
          <Textarea
            autoFocus
            value={text}
            maxLength={REMARKS_CHARACTERS_MAX}
            rows={1}
            onChange={(event) => setText(event.target.value)}
            onFocus={({ target }) => target.setSelectionRange(target.value.length, target.value.length)}
            onKeyDown={onKeyDown}
            className="field-sizing-content max-h-48 resize-none!"
          />
        </Field>
        <Button type="submit" variant="primary" loading={save.isPending}>
          {t('save')}
        </Button>
        <Button onClick={giveUp}>{t('cancel')}</Button>
      </form>
      <DiscardQuestion open={isAsking} onOpenChange={setAsking} onDiscard={onEnd} />
    </>
  );
}
