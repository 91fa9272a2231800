import { ApiError, isSame, type PluginEntry, type Rule } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { SearchX, Split } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure, fieldTexts } from '../../app/failure';
import { useSubscriptions } from '../../app/subscriptions';
import { useWho } from '../../app/who';
import { routeOptions } from '../../domain/data/queries';
import { Callout } from '../../domain/form/callout';
import { isStale } from '../../domain/form/use-draft';
import { mergeDraft } from '../../domain/model/merge-draft';
import { useErrorList } from '../../domain/words/error-words';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { Field } from '../../ui/field';
import { lazyPart } from '../../ui/lazy-part';
import { findLostFocus } from '../../ui/lost-focus';
import { notify } from '../../ui/notices';
import { PageHeader } from '../../ui/page-header';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states';
import { Textarea, TextInput } from '../../ui/text-input';
import { Link } from '../../ui/text-link';
import { useUnsavedChanges } from '../../ui/unsaved-changes';
import { ruleOptions, useCreateRule, useUpdateRule } from './queries';
import { ApplyButton, RuleMenu } from './rule-actions';
import { RulePlugins } from './rule-plugins';
import {
  DESCRIPTION_MAX,
  emptyRule,
  fieldsOf,
  materialisePlugins,
  NAME_MAX,
  type RuleValues,
  valuesFrom,
  valuesOf,
} from './rule-values';

const AppliedDomains = lazyPart(() => import('./applied-domains'));

interface EditorProps {
  /** Undefined while it is new. */
  id: string | undefined;
  /** Domain whose settings a new one starts with. */
  from: string | undefined;
  onSaved: (id: string) => void;
  onGone: () => void;
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

interface FormProps {
  rule: Rule | undefined;
  start: RuleValues;
  cname: string;
  refetch: () => void;
  onSaved: (id: string) => void;
  onGone: () => void;
}

function RuleForm({ rule, start, cname, refetch, onSaved, onGone }: FormProps) {
  const t = useTranslations('rules.editor');
  const errorList = useErrorList();
  const who = useWho();
  const { subscriptions } = useSubscriptions();
  const [values, setValues] = useState(start);
  // What is edited is compared with what it was made from; a new one with nothing.
  const [base, setBase] = useState({ values: rule ? start : emptyRule, revision: rule?.revision ?? 0 });
  const create = useCreateRule();
  const update = useUpdateRule(rule?.id ?? '');
  const [wasTried, setTried] = useState(false);
  // What was pressed to come here is gone: a link in the list, or the button that made it.
  useEffect(findLostFocus, []);
  const isDirty = !isSame(values, base.values);
  const isSaving = create.isPending || update.isPending;
  useUnsavedChanges(isDirty && !isSaving);
  const theirs = rule && rule.revision > base.revision && !isSaving ? rule : undefined;
  if (theirs && !isDirty) {
    setBase({ values: valuesOf(theirs), revision: theirs.revision });
    setValues(valuesOf(theirs));
  }
  const error = create.error ?? update.error;
  const isConflict = error instanceof ApiError && isStale(error);
  const fields = fieldTexts(error);
  const others = error && Object.keys(fields).length === 0 && !isConflict ? errorList(error) : [];
  const nameError = fields.name ?? (wasTried && values.name.trim() === '' ? t('nameRequired') : undefined);

  function change(part: Partial<RuleValues>) {
    setValues((before) => ({ ...before, ...part }));
    if (!isConflict) {
      create.reset();
      update.reset();
    }
  }
  function rebase(isMineKept: boolean) {
    if (!theirs) return;
    const fresh = valuesOf(theirs);
    const merged = valuesFrom(mergeDraft(fieldsOf(base.values), fieldsOf(values), fieldsOf(fresh)).value);
    setBase({ values: fresh, revision: theirs.revision });
    setValues(isMineKept ? merged : fresh);
    update.reset();
  }
  async function save() {
    setTried(true);
    if (values.name.trim() === '' || values.plugins.length === 0) return;
    const body = { ...values, plugins: [...values.plugins] };
    try {
      const saved = rule
        ? await update.mutateAsync({ revision: base.revision, body })
        : await create.mutateAsync({ ...body, cname });
      setBase({ values: valuesOf(saved), revision: saved.revision });
      setValues(valuesOf(saved));
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
  const back = (
    <Link key="list" to="/domain/rules" search={{}}>
      {t('back')}
    </Link>
  );
  const saveButton = (
    <Button
      variant={rule && !isDirty ? 'secondary' : 'primary'}
      loading={isSaving}
      disabled={!isDirty || theirs !== undefined}
      onClick={() => void save()}
    >
      {t(rule ? 'save' : 'create')}
    </Button>
  );
  return (
    <>
      <PageHeader
        breadcrumb={[back]}
        title={rule?.name ?? t('newTitle')}
        description={rule ? undefined : t('newBody')}
        actions={
          <>
            {rule && <RuleMenu rule={rule} onDeleted={onGone} />}
            {saveButton}
            {rule && <ApplyButton rule={rule} isDirty={isDirty} />}
          </>
        }
      />
      <div className="flex flex-col gap-5">
        {theirs && (
          <Callout
            tone="warning"
            role="alert"
            icon={<Split size={16} />}
            actions={
              <>
                <Button size="sm" onClick={() => rebase(true)}>
                  {t('merge')}
                </Button>
                <Button size="sm" variant="ghost" onClick={() => rebase(false)}>
                  {t('takeTheirs')}
                </Button>
              </>
            }
          >
            {t('changedBy', { who: theirs.updated_by === null ? t('anotherUser') : who(theirs.updated_by) })}
          </Callout>
        )}
        {others.length > 0 && (
          <Callout tone="danger" role="alert">
            {others.join(' ')}
          </Callout>
        )}
        <Card>
          <div className="grid gap-4 md:grid-cols-2">
            <Field label={t('name')} hint={t('nameHint')} error={nameError} required>
              <TextInput
                name="name"
                value={values.name}
                maxLength={NAME_MAX}
                onChange={(event) => change({ name: event.target.value })}
                autoComplete="off"
              />
            </Field>
            <Field label={t('description')} hint={t('descriptionHint')} error={fields.description}>
              <Textarea
                name="description"
                rows={2}
                value={values.description}
                maxLength={DESCRIPTION_MAX}
                onChange={(event) => change({ description: event.target.value })}
              />
            </Field>
          </div>
        </Card>
        <RulePlugins
          plugins={values.plugins}
          onChange={(plugins) => change({ plugins })}
          errors={errorsByPlugin(error, values.plugins)}
          error={wasTried ? t('pluginsRequired') : undefined}
          tier={subscriptions?.find((one) => one.cname === cname)?.tier ?? 'vip'}
        />
        {rule && (
          <Suspense fallback={<Skeleton className="h-40 w-full" />}>
            <AppliedDomains rule={rule} />
          </Suspense>
        )}
      </div>
    </>
  );
}

function EditorSkeleton() {
  return (
    <div aria-busy>
      <Skeleton className="mb-3 h-4 w-32" />
      <Skeleton className="h-8 w-72 max-w-full" />
      <Skeleton className="mt-6 h-28 w-full" />
      <Skeleton className="mt-5 h-48 w-full" />
    </div>
  );
}

/** One rule: its name, what it sets, and once it is saved where it was applied. */
export default function RuleEditor({ id, from, onSaved, onGone }: EditorProps) {
  const t = useTranslations('rules.editor');
  const { selected } = useSubscriptions();
  const query = useQuery({ ...ruleOptions(id ?? ''), enabled: id !== undefined });
  const source = useQuery({ ...routeOptions(from ?? ''), enabled: id === undefined && from !== undefined });
  const failed = query.error ?? source.error;
  if (failed) {
    const isGone = failed instanceof ApiError && failed.status === 404;
    const retry = () => void (query.error ? query : source).refetch();
    return (
      <>
        <PageHeader title={t(isGone ? 'gone' : 'one')} />
        <Card>
          {isGone ? (
            <EmptyState
              icon={<SearchX size={22} aria-hidden />}
              title={t('goneTitle')}
              description={t('goneBody')}
              action={
                <Button variant="primary" onClick={onGone}>
                  {t('toList')}
                </Button>
              }
            />
          ) : (
            <ErrorState
              {...describeFailure(failed)}
              onRetry={retry}
              isRetrying={query.isFetching || source.isFetching}
            />
          )}
        </Card>
      </>
    );
  }
  const rule = query.data;
  const route = source.data;
  const cname = rule?.subscription_cname ?? route?.subscription_cname ?? selected?.cname;
  if ((id !== undefined && !rule) || (from !== undefined && !id && !route) || cname === undefined)
    return <EditorSkeleton />;
  const start = rule
    ? valuesOf(rule)
    : route
      ? {
          name: t('nameFrom', { domain: route.domain_name_unicode }).slice(0, NAME_MAX),
          description: '',
          plugins: materialisePlugins(route.draft.plugins),
        }
      : emptyRule;
  return (
    <RuleForm
      rule={rule}
      start={start}
      cname={cname}
      refetch={() => void query.refetch()}
      onSaved={onSaved}
      onGone={onGone}
    />
  );
}
