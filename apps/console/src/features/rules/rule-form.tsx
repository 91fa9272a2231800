import type { PluginEntry, Rule } from '@cordon/contract';
import { hasLists } from '@cordon/plugin-kit/merge-config';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { fieldTexts } from '../../app/failure';
import { useSubscriptions } from '../../app/subscriptions';
import { Callout } from '../../domain/form/callout';
import { useUnplacedTexts } from '../../domain/words/unplaced-texts';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { RadioCards } from '../../ui/choice';
import { Field } from '../../ui/field';
import { lazyPart } from '../../ui/lazy-part';
import { findLostFocus } from '../../ui/lost-focus';
import { PageHeader } from '../../ui/page-header';
import { joinSentences } from '../../ui/sentences';
import { Skeleton } from '../../ui/states';
import { keepFocusAbove } from '../../ui/sticky-bar';
import { Textarea, TextInput } from '../../ui/text-input';
import { Link } from '../../ui/text-link';
import { useUnsavedChanges } from '../../ui/unsaved-changes';
import { useIsPhone } from '../../ui/use-media';
import { ApplyButton, RuleMenu } from './rule-actions';
import { RulePlugins } from './rule-plugins';
import { DESCRIPTION_MAX, NAME_MAX } from './rule-values';
import { SelectedDomains, type SelectedForRule } from './selected-domains';
import { type RuleFormOptions, type RuleFormState, useRuleForm } from './use-rule-form';

const RuleConflict = lazyPart(async () => ({ default: (await import('./rule-conflict')).RuleConflict }));
const AppliedDomains = lazyPart(() => import('./applied-domains'));

interface PartProps {
  form: RuleFormState;
}

/** Errors of a failed save by the plugin they belong to; the API names them by position. */
function errorsByPlugin(error: unknown, plugins: readonly PluginEntry[]): Record<string, string[]> {
  const byPlugin: Record<string, string[]> = {};
  for (const [path, text] of Object.entries(fieldTexts(error))) {
    const name = plugins[Number(/^plugins\.(\d+)\./.exec(path)?.[1] ?? -1)]?.name;
    if (name !== undefined) byPlugin[name] = [...(byPlugin[name] ?? []), text];
  }
  return byPlugin;
}

/** A new one says what it still needs. */
function SaveButton({ form: { isDirty, isSaving, theirs, save }, isNew }: PartProps & { isNew: boolean }) {
  const t = useTranslations('rules.editor');
  return (
    <Button
      variant={isNew || isDirty ? 'primary' : 'secondary'}
      loading={isSaving}
      disabled={!(isNew || isDirty) || theirs !== undefined}
      onClick={() => void save()}
    >
      {t(isNew ? 'create' : 'save')}
    </Button>
  );
}

interface HeaderProps extends PartProps {
  rule: Rule | undefined;
  /** Its button stands below the form. */
  isBelow: boolean;
  onGone: () => void;
}

function FormHeader({ form, rule, isBelow, onGone }: HeaderProps) {
  const t = useTranslations('rules.editor');
  const back = (
    <Link key="list" to="/domain/rules" search={{}} className="reach">
      {t('back')}
    </Link>
  );
  return (
    <PageHeader
      breadcrumb={[back]}
      title={rule?.name ?? t('newTitle')}
      description={rule ? undefined : t('newBody')}
      actions={
        <>
          {rule && <RuleMenu rule={rule} onDeleted={onGone} />}
          {!isBelow && <SaveButton form={form} isNew={!rule} />}
          {rule && <ApplyButton rule={rule} isDirty={form.isDirty} />}
        </>
      }
    />
  );
}

/** Whether a field, or a plugin's card, shows what is wrong there. */
const isField = (path: string): boolean => path === 'name' || path === 'description' || /^plugins\.\d+\./.test(path);

/** What was refused, where no field shows it. */
function Refusal({ form: { error, isConflict } }: PartProps) {
  const unplacedTexts = useUnplacedTexts();
  const failures = isConflict ? [] : unplacedTexts(error, isField);
  if (failures.length === 0) return null;
  return (
    <Callout tone="danger" role="alert">
      {joinSentences(failures)}
    </Callout>
  );
}

function NameFields({ form: { values, change, error, wasTried }, isNew }: PartProps & { isNew: boolean }) {
  const t = useTranslations('rules.editor');
  const input = useRef<HTMLInputElement>(null);
  // What was pressed to come here is gone: a link in the list, or the button that made it. A new one begins with its name.
  useEffect(() => {
    if (isNew) input.current?.focus();
    else findLostFocus();
  }, [isNew]);
  const fields = fieldTexts(error);
  const nameError = fields.name ?? (wasTried && values.name.trim() === '' ? t('nameRequired') : undefined);
  return (
    <Card>
      <div className="grid gap-4 md:grid-cols-2">
        <Field label={t('name')} error={nameError} required>
          <TextInput
            ref={input}
            name="name"
            value={values.name}
            maxLength={NAME_MAX}
            onChange={(event) => change({ name: event.target.value })}
            autoComplete="off"
          />
        </Field>
        <Field label={t('description')} error={fields.description}>
          <Textarea
            name="description"
            rows={1}
            value={values.description}
            maxLength={DESCRIPTION_MAX}
            onChange={(event) => change({ description: event.target.value })}
          />
        </Field>
      </div>
    </Card>
  );
}

/** Whether addresses, countries and paths of the rule replace those of a domain; asked where it has such lists. */
function ListsChoice({ form: { values, change } }: PartProps) {
  const t = useTranslations('rules.editor.lists');
  if (!values.plugins.some(({ config }) => hasLists(config))) return null;
  const option = (value: Rule['lists']) => ({ value, label: t(value), description: t(`${value}Hint`) });
  return (
    <section>
      <h2 className="mb-2 font-semibold">{t('label')}</h2>
      <RadioCards
        label={t('label')}
        options={[option('replace'), option('merge')]}
        value={values.lists}
        onValueChange={(lists) => change({ lists })}
      />
    </section>
  );
}

interface RuleFormProps extends Omit<RuleFormOptions, 'leadsOn' | 'isEditing'> {
  selected?: SelectedForRule | undefined;
  onApplied?: (() => void) | undefined;
  onGone: () => void;
}

/** The rule that is edited, or a new one. */
export function RuleForm({ selected, onApplied = () => {}, onGone, ...options }: RuleFormProps) {
  const t = useTranslations('rules.editor');
  const { subscriptions } = useSubscriptions();
  const { rule, cname } = options;
  const [isEditing, setEditing] = useState(false);
  const form = useRuleForm({ ...options, leadsOn: selected !== undefined, isEditing });
  const { values, change, wasTried } = form;
  // On a phone one is made where its form ends, as in the sheets.
  const isBelow = useIsPhone() && !rule;
  useUnsavedChanges(form.isDirty && !form.isSaving);
  return (
    <>
      <FormHeader form={form} rule={rule} isBelow={isBelow} onGone={onGone} />
      {/* A new one goes on at an address of its own, and takes nothing along. */}
      <div inert={form.isSaving && !rule} className="flex flex-col gap-5">
        {form.theirs && (
          <Suspense fallback={<Skeleton className="h-20 w-full" />}>
            <RuleConflict form={form} />
          </Suspense>
        )}
        {selected && <SelectedDomains selected={selected} rule={rule} isDirty={form.isDirty} onApplied={onApplied} />}
        <Refusal form={form} />
        <NameFields form={form} isNew={!rule} />
        <RulePlugins
          plugins={values.plugins}
          lists={values.lists}
          onChange={(plugins) => change({ plugins })}
          onEditing={setEditing}
          errors={errorsByPlugin(form.error, values.plugins)}
          error={wasTried ? t('pluginsRequired') : undefined}
          tier={subscriptions?.find((one) => one.cname === cname)?.tier ?? 'vip'}
        />
        <ListsChoice form={form} />
        {rule && (
          <Suspense fallback={<Skeleton className="h-40 w-full" />}>
            <AppliedDomains rule={rule} />
          </Suspense>
        )}
      </div>
      {isBelow && (
        <div
          ref={keepFocusAbove}
          className="sticky bottom-0 z-10 -mx-4 mt-4 flex border-t border-line bg-page px-4 py-3 phone:[&>button]:flex-1"
        >
          <SaveButton form={form} isNew />
        </div>
      )}
    </>
  );
}
