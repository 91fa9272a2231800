import { ApiError } from '@cordon/contract';
import { mergeEntries } from '@cordon/plugin-kit/address-list';
import { BANS_FEED } from '@cordon/plugin-kit/feeds';
import { type FormEvent, useMemo, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useAsked } from '../../domain/form/use-asked';
import { useFeedGaps } from '../../domain/plugins/feed-gaps';
import { useGapParts } from '../../domain/plugins/gap-parts';
import { useCodeWords, useSaveErrorList } from '../../domain/words/error-words';
import { useFormat } from '../../ui/format';
import { useLeadToError } from '../../ui/lead-to-error';
import { joinSentences } from '../../ui/sentences';
import { notifyUndo } from '../../ui/undo-notice';
import { type AddBansErrors, type AddBansValues, errorsOf, isField, START_VALUES, toBody } from './add-bans-values';
import { validNetworks } from './entries/valid-networks';
import { banCause } from './undo/causes';
import { useAddBans } from './use-add-bans';
import { useUndoBans } from './use-undo-bans';
import { wideRanges } from './wide-ranges';

/** As long as the Undo of a lift stands. */
const UNDO_MS = 10_000;
const NO_ERRORS: AddBansErrors = { fields: {}, params: {} };

/** What the form begins with, and its end. */
export interface AddBansStart {
  domain: string | undefined;
  address: string | undefined;
  onClose: () => void;
}

/** Values and errors of the form that bans addresses; a submit sends them, after a question where ranges are wide. */
export function useAddBansForm({ domain, address, onClose }: AddBansStart) {
  const t = useTranslations('bans.add');
  const tBans = useTranslations('bans');
  const format = useFormat();
  const codeWords = useCodeWords();
  const errorList = useSaveErrorList();
  const add = useAddBans();
  const undo = useUndoBans();
  const element = useRef<HTMLFormElement>(null);
  const leadToError = useLeadToError(element);
  const [values, setValues] = useState<AddBansValues>({
    ...START_VALUES,
    networks: address === undefined ? [] : [address],
    isOneDomain: domain !== undefined,
    domain,
  });
  // What is set again replaces what was set before: where only the answer was lost, that would be one's own, and Undo bring it back.
  const { about, ask } = useAsked(values, { values, idempotencyKey: crypto.randomUUID() });
  const [wasTried, setTried] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [refused, setRefused] = useState<AddBansErrors>(NO_ERRORS);
  const valid = useMemo(() => validNetworks(values.networks), [values.networks]);
  const { networks } = useMemo(() => mergeEntries(valid), [valid]);
  const found = errorsOf(values, networks.length);
  const fields = { ...refused.fields, ...found.fields };
  const params = { ...refused.params, ...found.params };

  const gaps = useFeedGaps(
    BANS_FEED,
    values.isOneDomain ? values.domain : undefined,
    !values.isOneDomain || values.domain !== undefined,
  );
  const parts = useGapParts();

  async function send() {
    setAsking(false);
    const body = toBody(about.values);
    try {
      const made = await ask(() => add.mutateAsync({ body, idempotencyKey: about.idempotencyKey }));
      const { banned, replaced, ids, allowed, ends_at: endsAt } = made;
      const network = networks[0] ?? '';
      notifyUndo(
        {
          tone: allowed > 0 || gaps ? 'warning' : 'success',
          title: t('done', { count: banned, network }),
          description:
            [
              endsAt !== null && t('doneUntil', { time: format.dateTime(endsAt) }),
              replaced > 0 && t('doneReplaced', { count: replaced }),
              allowed > 0 && t('doneAllowed', { count: allowed }),
              gaps !== undefined && t.markup('gaps', parts.plain(gaps)).trim(),
            ]
              .filter((text) => text !== false)
              .join(' · ') || undefined,
          durationMs: UNDO_MS,
          action: { label: tBans('undo'), onPress: () => void undo(made, body) },
        },
        ids.map(banCause),
      );
      onClose();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setRefused({ fields: error.fields, params: error.body?.params ?? {} });
      leadToError();
    }
  }
  const isPlacedElsewhere =
    add.error instanceof ApiError && Object.keys(add.error.fields).some((path) => !isField(path));
  const isShownAtField = Object.keys(refused.fields).some(isField) && !isPlacedElsewhere;
  return {
    element,
    values,
    set(change: Partial<AddBansValues>) {
      setValues((before) => ({ ...before, ...change }));
      // They were about what has been changed since.
      setRefused(NO_ERRORS);
      add.reset();
    },
    submit(event: FormEvent) {
      event.preventDefault();
      setTried(true);
      if (add.isPending) return;
      if (Object.keys(found.fields).length > 0) return leadToError();
      if (wideRanges(networks).length > 0) setAsking(true);
      else void send();
    },
    send,
    /** Where the ban would do nothing. */
    gaps,
    isPending: add.isPending,
    isAsking,
    setAsking,
    /** Entries that are addresses or ranges. */
    valid,
    /** What will be banned. */
    networks,
    /** What is wrong with a field, before anything was sent too. */
    errorOf(path: string): string | undefined {
      const code = fields[path];
      return code === undefined ? undefined : codeWords(code, params[path]);
    },
    /** Whether the field is wrong and that is to be said: after the first try. */
    isWrong: (path: string) => wasTried && fields[path] !== undefined,
    /** What the API refused, where no field shows it. */
    failure: add.error && !isShownAtField ? joinSentences(errorList(add.error)) : undefined,
  };
}

export type AddBansForm = ReturnType<typeof useAddBansForm>;
