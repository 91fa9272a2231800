import { ApiError, isSame, type Rule } from '@cordon/contract';
import { startTransition, useState } from 'react';
import { useTranslations } from 'use-intl';
import { isStale, useSaves } from '../../domain/data/use-saves';
import { mergeDraft, type Side } from '../../domain/model/merge-draft';
import { notify } from '../../ui/notices';
import { useCreateRule, useUpdateRule } from './queries';
import { emptyRule, fieldsOf, type RuleValues, valuesFrom, valuesOf } from './rule-values';

/** Values being edited. `theirs` is the rule as another user has saved it since; `rebase` builds on it. */
function useRuleDraft(rule: Rule | undefined, start: RuleValues, isOwn: boolean) {
  const [values, setValues] = useState(start);
  // What is edited is compared with what it was made from; a new one with nothing.
  const [base, setBase] = useState({ values: rule ? start : emptyRule, rule });
  const isDirty = !isSame(values, base.values);
  const theirs = rule && rule.revision > (base.rule?.revision ?? 0) && !isOwn ? rule : undefined;

  /** What is typed while `sent` is on its way stays, as a change of what was saved. */
  function take(saved: Rule, sent: RuleValues) {
    const fresh = valuesOf(saved);
    setBase({ values: fresh, rule: saved });
    setValues((typed) => (isSame(typed, sent) ? fresh : typed));
  }
  if (theirs && !isDirty) take(theirs, values);
  return {
    values,
    upon: base.rule,
    isDirty,
    theirs,
    take,
    change: (part: Partial<RuleValues>) => setValues((before) => ({ ...before, ...part })),
    /** Goes on upon theirs: with what was changed here, of what both changed whose `sides` says; without, all theirs. */
    rebase(sides?: Readonly<Record<string, Side>>) {
      if (!theirs) return;
      const fresh = valuesOf(theirs);
      const merged = mergeDraft(fieldsOf(base.values), fieldsOf(values), fieldsOf(fresh), sides).value;
      setBase({ values: fresh, rule: theirs });
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
  /** What comes after a new one opens by itself, and says that it is there. */
  leadsOn: boolean;
  /** A new one has been made. */
  onSaved: (id: string) => void;
}

/** Editing a rule and saving it. */
export function useRuleForm({ rule, start, cname, refetch, leadsOn, onSaved }: RuleFormOptions) {
  const t = useTranslations('rules.editor');
  const create = useCreateRule();
  const update = useUpdateRule(rule?.id ?? '');
  const isSaving = create.isPending || update.isPending;
  const saves = useSaves(update.mutateAsync, (one: Rule) => one.revision);
  const draft = useRuleDraft(rule, start, isSaving || saves.isUnanswered);
  const [wasTried, setTried] = useState(false);
  const { values } = draft;
  const error = create.error ?? update.error;
  const isConflict = isStale(error);

  async function save() {
    if (values.name.trim() === '' || values.plugins.length === 0) return setTried(true);
    const body = { ...values, plugins: [...values.plugins] };
    try {
      const answer = draft.upon ? saves.save(draft.upon, body) : create.mutateAsync({ ...body, cname });
      // The request goes out before the form is drawn anew.
      startTransition(() => setTried(true));
      const saved = await answer;
      draft.take(saved, values);
      setTried(false);
      if (rule || !leadsOn)
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
