import {
  ApiError,
  type ConfigChange,
  diffConfigs,
  domainOperations,
  isWildcardName,
  type Route,
  type RouteConfig,
  type WildcardLevels as WildcardLevelsChoice,
} from '@cordon/contract';
import { definitions } from '@cordon/plugins/definitions/upstreams';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type FieldPath, FormProvider, type UseFormReturn, useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { isTransient } from '../../app/failure';
import { useSubscriptions } from '../../app/subscriptions';
import { Conflict } from '../../domain/changes/lazy-conflict';
import { pluginDefaults } from '../../domain/changes/plugin-defaults';
import { isStale } from '../../domain/data/use-saves';
import { EffectMark } from '../../domain/display/effect-mark';
import { contractResolver, placeApiErrors } from '../../domain/form/contract-form';
import { useDraft } from '../../domain/form/use-draft';
import { useRecheck } from '../../domain/form/use-recheck';
import { canSave } from '../../domain/model/domain-state';
import { mergeDraft, type Side } from '../../domain/model/merge-draft';
import { type PluginCardActions, PluginCards } from '../../domain/plugins/plugin-cards';
import { refusedBy } from '../../domain/plugins/refused';
import { ConnectionFields } from '../../domain/upstreams/lazy-connection';
import { RedirectFields } from '../../domain/upstreams/lazy-redirect-fields';
import { TrafficAction } from '../../domain/upstreams/traffic-action';
import { UpstreamFields } from '../../domain/upstreams/upstream-fields';
import {
  planErrors,
  privateKeyErrors,
  redirectErrors,
  redirecting,
  toConfig,
  toUpstreamBody,
  toUpstreamValues,
  type UpstreamValues,
  upstreamField,
} from '../../domain/upstreams/upstream-values';
import { WildcardLevels } from '../../domain/upstreams/wildcard-levels';
import { useSaveErrorList } from '../../domain/words/error-words';
import { Card } from '../../ui/card';
import { findFocusAfter } from '../../ui/lost-focus';
import { notify } from '../../ui/notices';
import { useUnsavedChanges } from '../../ui/unsaved-changes';
import { useLong } from '../../ui/use-long';
import { OriginCards, OriginHealth } from './lazy-origin-cards';
import { SaveBar } from './save-bar';

/** What may be set about the requests to the origin; the redirect is part of the form. */
const shown = definitions.filter(({ phase }) => phase !== 'redirect');

interface TabValues extends UpstreamValues {
  wildcard_levels: WildcardLevelsChoice;
}

const valuesOf = (draft: RouteConfig): TabValues => ({
  ...toUpstreamValues(draft),
  wildcard_levels: draft.wildcard_levels ?? 'one',
});
const toBody = (values: TabValues) => ({ ...toUpstreamBody(values), wildcard_levels: values.wildcard_levels });
/** The fields by which two people's changes are joined. */
const flat = ({ traffic_action, wildcard_levels, upstreams, redirection }: TabValues) => ({
  traffic_action,
  wildcard_levels,
  protocol: upstreams.protocol,
  targets: upstreams.targets,
  connection_limit: upstreams.connection_limit,
  tls_verification: upstreams.tls_verification,
  tls_ca: upstreams.tls_ca,
  redirection,
});

/** The draft with what was typed; one level is what a configuration says by leaving it out. */
function mineOf(draft: RouteConfig, typed: TabValues): RouteConfig {
  const { wildcard_levels: _, ...rest } = toConfig(draft, typed);
  return typed.wildcard_levels === 'all' ? { ...rest, wildcard_levels: 'all' } : rest;
}

/** Field of the form that a change of the configuration belongs to. */
const fieldOf = ({ plugin, field }: ConfigChange): string | undefined =>
  plugin === undefined ? field : plugin === redirecting?.name ? 'redirection' : undefined;

/** Changes that wait in the draft and are not the form's own. */
const waitingElsewhere = ({ live, draft }: Route): ConfigChange[] =>
  diffConfigs(live, draft, pluginDefaults).filter((change) => fieldOf(change) === undefined);

/** Name that the edge asks origins for: the domain's, unless a plugin puts another in its place. */
function serverName({ draft, domain_name }: Route): string {
  for (const { name, enabled, config } of draft.plugins) {
    const definition = enabled ? definitions.find((one) => one.name === name) : undefined;
    const parsed = definition?.originHost ? definition.schema.safeParse(config) : undefined;
    if (parsed?.success) return definition?.originHost?.(parsed.data) ?? domain_name;
  }
  return domain_name;
}

type UpstreamsForm = UseFormReturn<TabValues>;
type Draft = ReturnType<typeof useDraft>;

/** The form over the draft; it follows what is saved for as long as nothing is typed. */
function useUpstreamsForm(route: Route) {
  const { subscriptions } = useSubscriptions();
  const subscription = subscriptions?.find((one) => one.cname === route.subscription_cname);
  const form = useForm<TabValues>({
    defaultValues: valuesOf(route.draft),
    resolver: contractResolver<TabValues>(domainOperations.updateRoute.body, toBody, (values) => ({
      ...planErrors(values, subscription),
      ...privateKeyErrors(values),
      ...redirectErrors(values, [route.domain_name, ...route.shadow_domains]),
    })),
  });
  useRecheck(form);
  const draft = useDraft(route, form.formState.isDirty);
  const { draft: begun } = draft.base;
  useUnsavedChanges(draft.isUnsaved);
  /** What is being saved; else what the form began with. */
  const sent = useRef<TabValues>(undefined);
  const before = useRef(valuesOf(begun));
  useEffect(() => {
    const [typed, fresh] = [flat(form.getValues()), valuesOf(begun)];
    form.reset(fresh);
    // What is typed while a save is on its way stays, as a change of what was saved.
    enter(form, mergeDraft(flat(sent.current ?? before.current), typed, flat(fresh)).value);
    sent.current = undefined;
    before.current = fresh;
  }, [begun, form]);
  return { form, draft, sent };
}

/** Puts values into the form, as if they had been typed. */
function enter(form: UpstreamsForm, values: ReturnType<typeof flat>) {
  const { traffic_action, wildcard_levels, redirection, ...upstreams } = values;
  form.setValue('traffic_action', traffic_action, { shouldDirty: true });
  form.setValue('wildcard_levels', wildcard_levels, { shouldDirty: true });
  for (const [name, value] of Object.entries(upstreams))
    form.setValue(`upstreams.${name as keyof typeof upstreams}`, value as never, { shouldDirty: true });
  form.setValue('redirection', redirection, { shouldDirty: true });
}

/** Saving what is typed. `refused` is why, where no field shows it. */
function useSave({ form, draft, sent }: ReturnType<typeof useUpstreamsForm>) {
  const tSave = useTranslations('domain.save');
  const errorList = useSaveErrorList();
  const [saving, setSaving] = useState<'draft' | 'deploy'>();
  const [refused, setRefused] = useState<ReactNode>();
  const [again, setAgain] = useState<() => void>();
  const call = useRef(new AbortController());
  const isLong = useLong(saving !== undefined);

  async function save(values: TabValues, deploy: boolean, note: string) {
    call.current = new AbortController();
    const { signal } = call.current;
    setSaving(deploy ? 'deploy' : 'draft');
    setRefused(undefined);
    setAgain(undefined);
    sent.current = structuredClone(form.getValues());
    try {
      await draft.save(toBody(values), deploy, note, signal);
      if (!deploy) notify({ tone: 'success', title: tSave('savedDraft') });
    } catch (error) {
      sent.current = undefined;
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      if (isStale(error)) return;
      const { placed, unplaced } = placeApiErrors(form, error, (path) => upstreamField(path, values.traffic_action));
      const lines = placed.length === 0 || unplaced.length > 0 ? errorList(error) : [];
      setRefused(await refusedBy(error, draft.base.id, lines));
      if (isTransient(error)) setAgain(() => () => submit(deploy, note));
      const first = placed[0];
      // Once the fields are open again.
      if (first !== undefined) window.setTimeout(() => form.setFocus(first as FieldPath<TabValues>));
    } finally {
      setSaving(undefined);
      // Nothing is left to save: the button that was pressed is closed.
      findFocusAfter(false);
    }
  }
  // What was refused was what was typed then.
  useEffect(() => form.watch(() => setRefused(undefined)).unsubscribe, [form]);
  const submit = (deploy: boolean, note = '') => void form.handleSubmit((values) => save(values, deploy, note))();
  return { saving, refused, again, submit, giveUp: isLong ? () => call.current.abort() : undefined };
}

/** Another user has changed the draft since: the two are joined, and what both changed is asked. */
function UpstreamsConflict({ form, draft, typed }: { form: UpstreamsForm; draft: Draft; typed: TabValues }) {
  const tChanges = useTranslations('domain.changes.field');
  const { base, theirs } = draft;
  if (!theirs) return null;
  const join = (sides?: Readonly<Record<string, Side>>) =>
    mergeDraft(flat(valuesOf(base.draft)), flat(typed), flat(valuesOf(theirs.draft)), sides);

  function takeTheirs() {
    form.reset(valuesOf(base.draft));
    draft.rebase();
    draft.reset();
  }
  function resolve(sides: Readonly<Record<string, Side>>) {
    const { value } = join(sides);
    takeTheirs();
    // After the reset to the new base, so that what was typed counts as typed.
    window.setTimeout(() => enter(form, value));
  }
  return (
    <Conflict
      base={base}
      theirs={theirs}
      mine={mineOf(base.draft, typed)}
      contested={join().contested.map((key) => ({
        key,
        label: tChanges(key as keyof ReturnType<typeof flat>),
      }))}
      keyOf={fieldOf}
      onResolve={resolve}
      onTakeTheirs={takeTheirs}
    />
  );
}

/** How the origin is; where the domain's traffic goes, which is of the draft and saved together; what takes effect at once; the save. */
export default function UpstreamsTab({ route, ...actions }: { route: Route } & PluginCardActions) {
  const t = useTranslations('domain.upstreams');
  const edited = useUpstreamsForm(route);
  const { form, draft } = edited;
  const { saving, refused, again, submit, giveUp } = useSave(edited);
  const typed = form.watch();
  const isUpstream = typed.traffic_action === 'upstream';
  const wildcard = [route.domain_name, ...route.shadow_domains].find(isWildcardName);
  return (
    <FormProvider {...form}>
      {route.live?.traffic_action === 'upstream' && <OriginHealth route={route} />}
      <div>
        <form
          noValidate
          // Enter in a field puts nothing live; Ctrl and Enter do.
          onSubmit={(event) => event.preventDefault()}
        >
          <Card title={t('title')} actions={<EffectMark effect="deploy" />}>
            <div className="flex max-w-3xl flex-col gap-5">
              <UpstreamsConflict form={form} draft={draft} typed={typed} />
              <TrafficAction hideLabel />
              {isUpstream ? <UpstreamFields serverName={serverName(route)} /> : <RedirectFields />}
              {isUpstream && (
                <section aria-label={t('connection.title')}>
                  <ConnectionFields />
                </section>
              )}
              {wildcard !== undefined && (
                <WildcardLevels
                  name={wildcard}
                  value={typed.wildcard_levels}
                  onChange={(levels) => form.setValue('wildcard_levels', levels, { shouldDirty: true })}
                />
              )}
            </div>
          </Card>
        </form>
        {/* Not in the form: what a card opens has a form of its own. */}
        {isUpstream && (
          <div className="mt-4">
            <PluginCards route={route} definitions={shown} {...actions} />
          </div>
        )}
      </div>
      {isUpstream && (
        <div className="mt-4 flex flex-col gap-4">
          <OriginCards route={route} />
        </div>
      )}
      {(draft.isUnsaved || saving !== undefined) && (
        <SaveBar
          route={route}
          waitingElsewhere={waitingElsewhere(route)}
          saving={saving}
          disabled={draft.theirs !== undefined || !canSave(route)}
          refused={refused}
          onRetry={again}
          onGiveUp={giveUp}
          onSave={submit}
          onDiscard={() => {
            form.reset(valuesOf(draft.base.draft));
            draft.reset();
          }}
        />
      )}
    </FormProvider>
  );
}
