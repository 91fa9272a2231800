import { ApiError, isSame, type Rule } from '@cordon/contract';
import { startTransition, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { missingReason } from '../../app/failure';
import { isStale, leavesOpen, useSaves } from '../../domain/data/use-saves';
import { mergeDraft, type Side } from '../../domain/model/merge-draft';
import { notify } from '../../ui/notices';
import { type NewRule, useCreateRule, useUpdateRule } from './queries';
import { emptyRule, fieldsOf, type RuleValues, valuesFrom, valuesOf } from './rule-values';

interface RuleDraftParts {
  rule: Rule | undefined;
  start: RuleValues;
  isSaving: boolean;
  isUnanswered: boolean;
  /** A part of it is open elsewhere, and may have been typed in. */
  isEditing: boolean;
}

/** Values being edited. `theirs` is the rule as another user has saved it since; `rebase` builds on it. */
function useRuleDraft({ rule, start, isSaving, isUnanswered, isEditing }: RuleDraftParts) {
  const [values, setValues] = useState(start);
  // What is edited is compared with what it was made from; a new one with nothing.
  const [base, setBase] = useState({ values: rule ? start : emptyRule, rule });
  const isDirty = !isSame(values, base.values) || isUnanswered;
  const isTheirs = !isSaving && !isUnanswered;
  const theirs = isTheirs && rule && rule.revision > (base.rule?.revision ?? 0) ? rule : undefined;

  /** What is typed while `sent` is on its way stays, as a change of what was saved. */
  function take(saved: Rule, sent: RuleValues) {
    const fresh = valuesOf(saved);
    setBase({ values: fresh, rule: saved });
    setValues((typed) => (isSame(typed, sent) ? fresh : typed));
  }
  if (theirs && !isDirty && !isEditing) take(theirs, values);
  return {
    values,
    upon: base.rule,
    /** What one's own save has made is no change of theirs. */
    moveTo: (saved: Rule) => setBase({ values: valuesOf(saved), rule: saved }),
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
  refetch: () => Promise<Rule | undefined>;
  /** What comes after a new one opens by itself, and says that it is there. */
  leadsOn: boolean;
  /** The sheet of one of its plugins is open. */
  isEditing: boolean;
  /** A new one has been made. */
  onSaved: (id: string) => void;
}

/** Editing a rule and saving it. */
export function useRuleForm({ rule, start, cname, refetch, leadsOn, isEditing, onSaved }: RuleFormOptions) {
  const t = useTranslations('rules.editor');
  const create = useCreateRule();
  const update = useUpdateRule();
  const isSaving = create.isPending || update.isPending;
  const saves = useSaves({ send: update.mutateAsync, revisionOf: (one: Rule) => one.revision, readNewest: refetch });
  const { isUnanswered } = saves;
  const draft = useRuleDraft({ rule, start, isSaving, isUnanswered, isEditing });
  const [wasTried, setTried] = useState(false);
  const { values } = draft;
  const error = create.error ?? update.error;
  const isConflict = isStale(error);

  /** What may have been made though nothing answered. */
  const unmade = useRef<NewRule & { idempotencyKey: string }>(undefined);
  /** Makes it once: what may have been made already is asked for as it was, and changed to what is typed by now. */
  async function make(body: NewRule['body']): Promise<Rule> {
    const { current: before } = unmade;
    const asked = before ?? { body, idempotencyKey: crypto.randomUUID() };
    unmade.current = asked;
    try {
      const made = await create.mutateAsync(asked);
      unmade.current = undefined;
      const { cname: _, ...change } = body;
      return isSame(asked.body, body) ? made : await saves.save(made, change);
    } catch (failure) {
      if (missingReason(failure) !== undefined || leavesOpen(failure) || !unmade.current) throw failure;
      unmade.current = undefined;
      // What was asked before was refused: that says nothing of what is typed by now.
      if (!isSame(asked.body, body)) return make(body);
      throw failure;
    }
  }

  async function save() {
    if (values.name.trim() === '' || values.plugins.length === 0) return setTried(true);
    const body = { ...values, plugins: [...values.plugins] };
    try {
      const answer = draft.upon ? saves.save(draft.upon, body) : make({ ...body, cname });
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
      if (draft.upon && saves.latestOf(draft.upon) !== draft.upon) draft.moveTo(saves.latestOf(draft.upon));
      if (isStale(failure)) await refetch();
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
