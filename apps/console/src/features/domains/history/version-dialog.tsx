import { ApiError, type Route, type RouteConfig } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { describeFailure } from '../../../app/failure';
import { Button } from '../../../ui/button';
import { SegmentedControl } from '../../../ui/choice';
import { Dialog } from '../../../ui/dialog';
import { useFormat } from '../../../ui/format';
import { notify } from '../../../ui/notices';
import { ErrorState, Skeleton } from '../../../ui/states';
import { ChangeList } from '../changes/change-list';
import { Callout } from '../form/callout';
import { useErrorList } from '../form/error-words';
import { SaveButtons } from '../form/save-buttons';
import { isStale } from '../form/use-draft';
import { diffConfigs } from '../model/config-diff';
import { type RouteChange, useUpdateRoute, versionOptions } from '../queries';

/** The change that makes the draft what a version was: a plugin the version did not have is switched off, not forgotten. */
export function restoreChange(
  draft: RouteConfig,
  version: RouteConfig,
): Pick<RouteChange, 'traffic_action' | 'upstreams' | 'plugins'> {
  const later = draft.plugins.filter((entry) => !version.plugins.some((one) => one.name === entry.name));
  return {
    traffic_action: version.traffic_action,
    upstreams: version.upstreams,
    plugins: [...version.plugins, ...later.map((entry) => ({ ...entry, enabled: false }))],
  };
}

interface VersionDialogProps {
  route: Route;
  version: number;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** What bringing a version back would change, against what is live or the draft; and bringing it back. */
export default function VersionDialog({ route, version, open, onOpenChange }: VersionDialogProps) {
  const t = useTranslations('domains.history');
  const tSave = useTranslations('domains.save');
  const tUi = useTranslations('ui');
  const format = useFormat();
  const errorList = useErrorList();
  const query = useQuery(versionOptions(route.id, version));
  const update = useUpdateRoute(route.id);
  const [against, setAgainst] = useState<'live' | 'draft'>(route.live ? 'live' : 'draft');
  const [saving, setSaving] = useState<'draft' | 'deploy'>();
  const loaded = query.data;
  const before = against === 'live' ? route.live : route.draft;
  const differsFromDraft = loaded !== undefined && diffConfigs(route.draft, loaded.config).length > 0;
  const isLiveVersion = version === route.version_live && route.status === 'running';

  async function restore(deploy: boolean) {
    if (!loaded) return;
    setSaving(deploy ? 'deploy' : 'draft');
    try {
      await update.mutateAsync({
        revision: route.draft_revision,
        body: { ...restoreChange(route.draft, loaded.config), deploy, note: t('restoreNote', { version }) },
      });
      if (!deploy) notify({ tone: 'success', title: tSave('savedDraft') });
      onOpenChange(false);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    } finally {
      setSaving(undefined);
    }
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('title', { version })}
      description={
        loaded && t('made', { who: loaded.created_by ?? t('cordon'), time: format.dateTime(loaded.created_at) })
      }
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>{tUi('close')}</Button>
          <SaveButtons
            isDirty={differsFromDraft || !isLiveVersion}
            saving={saving}
            disabled={!loaded || route.operation?.state === 'running' || route.status === 'deleting'}
            onSave={(deploy) => void restore(deploy)}
            words={{ draft: t('restoreDraft'), deploy: t('restoreDeploy') }}
          />
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {update.error && (
          <Callout tone="danger" role="alert">
            {isStale(update.error) ? t('stale') : errorList(update.error).join(' ')}
          </Callout>
        )}
        {loaded?.note && <p className="text-ink">{t('noteOf', { note: loaded.note })}</p>}
        {route.live && (
          <SegmentedControl
            label={t('against')}
            options={[
              { value: 'live', label: t('againstLive') },
              { value: 'draft', label: t('againstDraft') },
            ]}
            value={against}
            onValueChange={setAgainst}
            className="self-start"
          />
        )}
        {query.isError ? (
          <ErrorState
            {...describeFailure(query.error)}
            onRetry={() => void query.refetch()}
            isRetrying={query.isFetching}
            className="py-4!"
          />
        ) : loaded ? (
          <>
            <p className="text-muted">{t(against === 'live' ? 'wouldChangeLive' : 'wouldChangeDraft', { version })}</p>
            <ChangeList before={before} after={loaded.config} />
          </>
        ) : (
          <Skeleton className="h-32 w-full" />
        )}
      </div>
    </Dialog>
  );
}
