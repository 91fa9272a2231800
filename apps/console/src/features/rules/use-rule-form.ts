import { ApiError, isSame, type Rule } from '@cordon/contract';
import { startTransition, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { missingReason } from '../../app/failure';
import { isStale } from '../../domain/form/use-draft';
import { mergeDraft, type Side } from '../../domain/model/merge-draft';
import { notify } from '../../ui/notices';
import { type RuleUpdate, useCreateRule, useUpdateRule } from './queries';
import { emptyRule, fieldsOf, type RuleValues, valuesFrom, valuesOf } from './rule-values';

/** Values being edited. `theirs` is the rule as another user has saved it since; `rebase` builds on it. */
function useRuleDraft(rule: Rule | undefined, start: RuleValues, isSaving: boolean) {
  const [values, setValues] = useState(start);
  // What is edited is compared with what it was made from; a new one with nothing.
  const [base, setBase] = useState({ values: rule ? start : emptyRule, revision: rule?.revision ?? 0 });
  const isDirty = !isSame(values, base.values);
  const theirs = rule && rule.revision > base.revision && !isSaving ? rule : undefined;

  /** What is typed while `sent` is on its way stays, as a change of what was saved. */
  function take(saved: Rule, sent: RuleValues) {
    const fresh = valuesOf(saved);
    setBase({ values: fresh, revision: saved.revision });
    setValues((typed) => (isSame(typed, sent) ? fresh : typed));
  }
  if (theirs && !isDirty) take(theirs, values);
  return {
    values,
    revision: base.revision,
    isDirty,
    theirs,
    take,
    change: (part: Partial<RuleValues>) => setValues((before) => ({ ...before, ...part })),
    /** Goes on upon theirs: with what was changed here, of what both changed whose `sides` says; without, all theirs. */
    rebase(sides?: Readonly<Record<string, Side>>) {
      if (!theirs) return;
      const fresh = valuesOf(theirs);
      const merged = mergeDraft(fieldsOf(base.values), fieldsOf(values), fieldsOf(fresh), sides).value;
      setBase({ values: fresh, revision: theirs.revision });
      setValues(sides ? valuesFrom(merged) : fresh);
    },
    base: base.values,
  };
}

export interface RuleFormOptions {
  /** Undefined while it is new. */
  rule: Rule | undefined;
  /** What is edited to begin with. */
  start: RuleValues;
  /** The subscription it belongs to. */
  cname: string;
  refetch: () => void;
  /** A new one has been made. */
  onSaved: (id: string) => void;
}

/** Editing a rule and saving it. */
export function useRuleForm({ rule, start, cname, refetch, onSaved }: RuleFormOptions) {
  const t = useTranslations('rules.editor');
  const create = useCreateRule();
  const update = useUpdateRule(rule?.id ?? '');
  const isSaving = create.isPending || update.isPending;
  const draft = useRuleDraft(rule, start, isSaving);
  const [wasTried, setTried] = useState(false);
  const { values } = draft;
  const error = create.error ?? update.error;
  const isConflict = isStale(error);

  /** What nothing answered may have been done: another user's rule can be one's own. */
  const lost = useRef<RuleUpdate>(undefined);
  async function updateUpon(revision: number, body: RuleUpdate['body']): Promise<Rule> {
    const { current: before } = lost;
    const isAgain = before?.revision === revision && isSame(before.body, body);
    const asked = isAgain ? before : { revision, body, idempotencyKey: crypto.randomUUID() };
    try {
      const saved = await update.mutateAsync(asked);
      lost.current = undefined;
      return saved;
    } catch (failure) {
      if (missingReason(failure) !== undefined) lost.current = asked;
      if (!isStale(failure) || !before || isAgain) throw failure;
      // Upon a revision that is past it is not done any more: it is answered by what was done, or refused.
      lost.current = undefined;
      const done = await update.mutateAsync(before).catch(() => undefined);
      if (!done || done.revision <= revision) throw failure;
      return updateUpon(done.revision, body);
    }
  }

  async function save() {
    if (values.name.trim() === '' || values.plugins.length === 0) return setTried(true);
    const body = { ...values, plugins: [...values.plugins] };
    try {
      const answer = rule ? updateUpon(draft.revision, body) : create.mutateAsync({ ...body, cname });
      // The request goes out before the form is drawn anew.
      startTransition(() => setTried(true));
      const saved = await answer;
      draft.take(saved, values);
      setTried(false);
      notify({
        id: 'rule-saved',
        tone: 'success',
        title: t('saved'),
        description: saved.domains > 0 ? t('savedHint') : undefined,
      });
      if (!rule) onSaved(saved.id);
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      if (isStale(failure)) refetch();
    }
  }
  return {
    values,
    isDirty: draft.isDirty,
    isSaving,
    base: draft.base,
    theirs: draft.theirs,
    wasTried,
    error,
    isConflict,
    save,
    change(part: Partial<RuleValues>) {
      draft.change(part);
      if (isConflict) return;
      create.reset();
      update.reset();
    },
    rebase(sides?: Readonly<Record<string, Side>>) {
      if (!draft.theirs) return;
      draft.rebase(sides);
      update.reset();
    },
  };
}

export type RuleFormState = ReturnType<typeof useRuleForm>;
