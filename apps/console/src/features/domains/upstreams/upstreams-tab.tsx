import { ApiError, operations, type Route } from '@cordon/contract';
import { definitions } from '@cordon/plugins/definitions';
import { useEffect, useId, useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { useSubscriptions } from '../../../app/subscriptions';
import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { notify } from '../../../ui/notices';
import { useUnsavedChanges } from '../../../ui/unsaved-changes';
import { Callout } from '../form/callout';
import { Conflict } from '../form/conflict';
import { contractResolver, placeApiErrors } from '../form/contract-form';
import { useErrorList } from '../form/error-words';
import { SaveButtons, useAlsoDeployed } from '../form/save-buttons';
import { isStale, useDraft } from '../form/use-draft';
import { keepMine } from '../model/keep-mine';
import { PluginCards } from '../plugins/plugin-cards';
import { RedirectFields } from './lazy-redirect-fields';
import { TrafficAction } from './traffic-action';
import { UpstreamFields } from './upstream-fields';
import {
  planErrors,
  redirectErrors,
  toUpstreamBody,
  toUpstreamValues,
  type UpstreamValues,
  upstreamField,
} from './upstream-values';

/** What may be set about the requests to the origin; the redirect is part of the form. */
const shown = definitions.filter(({ area, phase }) => area === 'upstreams' && phase !== 'redirect');

const valuesOf = (route: Route) => toUpstreamValues(route.draft);
/** The fields by which two people's changes are joined. */
const flat = ({ traffic_action, upstreams, redirection }: UpstreamValues) => ({
  traffic_action,
  protocol: upstreams.protocol,
  targets: upstreams.targets,
  redirection,
});

/** Where the domain's traffic goes: traffic action, targets, protocol. */
export default function UpstreamsTab({ route }: { route: Route }) {
  const t = useTranslations('domains.upstreams');
  const tChanges = useTranslations('domains.changes.field');
  const tSave = useTranslations('domains.save');
  const errorList = useErrorList();
  const formId = useId();
  const { subscriptions } = useSubscriptions();
  const subscription = subscriptions?.find((one) => one.cname === route.subscription_cname);
  const form = useForm<UpstreamValues>({
    defaultValues: valuesOf(route),
    resolver: contractResolver<UpstreamValues>(operations.updateRoute.body, toUpstreamBody, (values) => ({
      ...planErrors(values, subscription),
      ...redirectErrors(values, [route.domain_name, ...route.shadow_domains]),
    })),
  });
  const { isDirty } = form.formState;
  const draft = useDraft(route, isDirty);
  const { base } = draft;
  const [saving, setSaving] = useState<'draft' | 'deploy'>();
  const [leftOver, setLeftOver] = useState<readonly string[]>([]);
  const alsoDeployed = useAlsoDeployed();
  useUnsavedChanges(isDirty);
  // The form follows what is saved for as long as nothing is typed.
  useEffect(() => form.reset(valuesOf(base)), [base, form]);

  const mine = flat(form.watch());
  const merge = draft.theirs && keepMine(flat(valuesOf(base)), mine, flat(valuesOf(draft.theirs)));

  function keep() {
    if (!merge || !draft.theirs) return;
    const { traffic_action, protocol, targets, redirection } = merge.value;
    draft.rebase();
    draft.reset();
    // After the reset to the new base, so that what was typed counts as typed.
    window.setTimeout(() => {
      form.setValue('traffic_action', traffic_action, { shouldDirty: true });
      form.setValue('upstreams.protocol', protocol, { shouldDirty: true });
      form.setValue('upstreams.targets', targets, { shouldDirty: true });
      form.setValue('redirection', redirection, { shouldDirty: true });
    });
  }
  async function save(values: UpstreamValues, deploy: boolean) {
    setSaving(deploy ? 'deploy' : 'draft');
    setLeftOver([]);
    try {
      await draft.save(toUpstreamBody(values), deploy);
      if (!deploy) notify({ tone: 'success', title: tSave('savedDraft') });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isStale(error)) return;
      const { placed } = placeApiErrors(form, error, (path) => upstreamField(path, values.traffic_action));
      if (placed.length === 0) setLeftOver(errorList(error));
    } finally {
      setSaving(undefined);
    }
  }
  const submit = (deploy: boolean) => void form.handleSubmit((values) => save(values, deploy))();
  const action = form.watch('traffic_action');
  const also = isDirty ? alsoDeployed(route) : undefined;
  return (
    <FormProvider {...form}>
      <form
        id={formId}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isDirty) submit(true);
        }}
      >
        <Card title={t('title')} description={t('body')}>
          <div className="flex max-w-3xl flex-col gap-5">
            {draft.theirs && merge && (
              <Conflict
                base={base}
                theirs={draft.theirs}
                contested={merge.contested.map((field) => tChanges(field as keyof typeof mine))}
                onKeepMine={keep}
                onTakeTheirs={() => {
                  draft.rebase();
                  draft.reset();
                }}
              />
            )}
            {leftOver.length > 0 && (
              <Callout tone="danger" role="alert">
                {leftOver.map((line) => (
                  <p key={line}>{line}</p>
                ))}
              </Callout>
            )}
            <TrafficAction />
            {action === 'upstream' ? <UpstreamFields /> : <RedirectFields />}
          </div>
        </Card>
        <div className="sticky bottom-0 z-10 phone:static -mx-4 mt-4 flex flex-wrap items-center justify-end gap-2 border-t border-line bg-page px-4 py-3 sm:-mx-6 sm:px-6 phone:[&>button]:flex-1">
          {also && <p className="mr-auto min-w-0 text-sm text-muted phone:w-full">{also}</p>}
          {isDirty && (
            <Button variant="ghost" onClick={() => form.reset(valuesOf(base))}>
              {tSave('discard')}
            </Button>
          )}
          <SaveButtons
            isDirty={isDirty}
            saving={saving}
            disabled={draft.theirs !== undefined || route.operation?.state === 'running'}
            onSave={submit}
          />
        </div>
      </form>
      {action === 'upstream' && (
        <div className="mt-6">
          <PluginCards route={route} definitions={shown} />
        </div>
      )}
    </FormProvider>
  );
}
