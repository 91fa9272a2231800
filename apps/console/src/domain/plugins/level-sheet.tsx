import { ApiError, type PluginEntry, type Route } from '@cordon/contract';
import type { PluginDefinition, ProtectionLevel } from '@cordon/plugin-kit';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { missingReason, notifyFailure } from '../../app/failure';
import { notify } from '../../ui/notices';
import { Sheet } from '../../ui/sheet';
import { AlsoDeployed, useAlsoDeployed } from '../changes/also-deployed';
import { ChangeList } from '../changes/lazy-change-list';
import { isStale } from '../data/use-saves';
import { Callout } from '../form/callout';
import { SaveButtons } from '../form/save-buttons';
import { useDraft } from '../form/use-draft';
import { canSave } from '../model/domain-state';
import { parseConfig } from '../model/parse-config';
import { usePluginWords } from '../words/plugin-words';
import { changesAt, type LevelChange } from './protection-level';
import { ReplayLine } from './replay-line';
import { useReplay } from './use-replay';

/** What one plugin becomes, and what that would have done to recent requests. */
function ChangedPlugin({
  route,
  change,
  onShown,
}: {
  route: Route;
  change: LevelChange;
  onShown: (isShown: true) => void;
}) {
  const t = useTranslations('domain.level');
  const words = usePluginWords()?.(change.definition.name);
  const { definition, before, after } = change;
  const replay = useReplay(route, definition, after);
  const kept = change.isLooser ? parseConfig(definition, before.config) : undefined;
  const summary = kept?.success ? definition.summary(kept.data) : undefined;
  const { draft } = route;
  const isOwn = ({ name }: PluginEntry) => name === definition.name;
  // What was never set up is not told as settings that were there before.
  const compared = {
    before: { ...draft, plugins: draft.plugins.filter(isOwn) },
    after: { ...draft, plugins: [after] },
  };
  return (
    <li className="flex flex-col gap-2">
      <ChangeList {...compared} onShown={onShown} />
      {summary && words && (
        <Callout tone="warning">{t('looser', { limit: words(summary.message, summary.params) })}</Callout>
      )}
      {after.enabled && replay && <ReplayLine replay={replay} />}
    </li>
  );
}

/** What a level of protection would change, before it is saved as a draft or deployed. */
export default function LevelSheet({
  route,
  definitions,
  level,
  open,
  onOpenChange,
}: {
  route: Route;
  definitions: readonly PluginDefinition[];
  level: ProtectionLevel;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const t = useTranslations('domain.level');
  const tSave = useTranslations('domain.save');
  const tPlugin = useTranslations('domain.plugin');
  const [saving, setSaving] = useState<'draft' | 'deploy'>();
  const also = useAlsoDeployed()(route);
  const next = useMemo(() => changesAt(level, route.draft, definitions), [level, route.draft, definitions]);
  /** What is being saved: once it is, nothing would be left to change. It may be though its answer was lost. */
  const [taken, setTaken] = useState<readonly LevelChange[]>();
  const draft = useDraft(route, taken !== undefined);
  const changes = taken ?? next;
  // They share what they wait for: a part of the console and its words.
  const [isShown, setShown] = useState(false);

  async function save(deploy: boolean, note: string) {
    setSaving(deploy ? 'deploy' : 'draft');
    setTaken(changes);
    try {
      await draft.save({ plugins: changes.map(({ after }) => after) }, deploy, note);
      if (!deploy) notify({ tone: 'success', title: tSave('savedDraft') });
      onOpenChange(false);
    } catch (error) {
      if (missingReason(error) === undefined) setTaken(undefined);
      if (error instanceof ApiError && isStale(error)) notify({ tone: 'warning', title: tPlugin('staleToggle') });
      else notifyFailure(error, () => void save(deploy, note));
    } finally {
      setSaving(undefined);
    }
  }
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={t('sheet', { level: t(`names.${level}`) })}
      description={t(`effects.${level}`)}
      busy={saving !== undefined}
      footer={
        <>
          {changes.length > 0 && <AlsoDeployed>{also}</AlsoDeployed>}
          <SaveButtons
            isDirty={changes.length > 0}
            saving={saving}
            disabled={!isShown || !canSave(route)}
            canDeploy={route.suspension === null}
            onSave={(deploy, note) => void save(deploy, note)}
          />
        </>
      }
    >
      {changes.length === 0 ? (
        <p className="text-muted">{t('same')}</p>
      ) : (
        <ul className="flex flex-col gap-4">
          {changes.map((change) => (
            <ChangedPlugin key={change.definition.name} route={route} change={change} onShown={setShown} />
          ))}
        </ul>
      )}
    </Sheet>
  );
}
