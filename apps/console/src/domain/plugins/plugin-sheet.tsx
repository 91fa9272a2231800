import { ApiError, diffConfigs, isSame, type PluginEntry, type Route } from '@cordon/contract';
import type { PluginDefinition } from '@cordon/plugin-kit';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Switch } from '../../ui/choice';
import { useLeadToError } from '../../ui/lead-to-error';
import { notify } from '../../ui/notices';
import { Sheet } from '../../ui/sheet';
import { pluginDefaults } from '../changes/change-list';
import { Conflict } from '../changes/conflict';
import { Callout } from '../form/callout';
import { SaveButtons, useAlsoDeployed } from '../form/save-buttons';
import { isPlanLimit, UpgradePrompt } from '../form/upgrade-prompt';
import { isStale, useDraft } from '../form/use-draft';
import { mergeDraft, type Side } from '../model/merge-draft';
import { entryOf, isConfigured, withEntry } from '../model/plugin-state';
import { useErrorList } from '../words/error-words';
import { type PluginWords, pluginName } from '../words/plugin-words';
import { valueAt, withoutEmptyRows } from './empty-rows';
import { ErrorCount } from './error-count';
import { type PluginConfig, PluginFields } from './plugin-fields';
import { pluginNotices } from './plugin-notices';
import { usePluginCheck } from './use-plugin-check';

interface PluginSheetProps {
  route: Route;
  definition: PluginDefinition;
  words: PluginWords;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Edits one plugin of the draft at the side of the screen, with the plugin's own form or one made from its schema. */
export default function PluginSheet({ route, definition, words, open, onOpenChange }: PluginSheetProps) {
  const t = useTranslations('domain.plugin');
  const tSave = useTranslations('domain.save');
  const errorList = useErrorList();
  const check = usePluginCheck(definition, words);
  const body = useRef<HTMLDivElement>(null);
  const leadToError = useLeadToError(body);
  const alsoDeployed = useAlsoDeployed();
  const start = (from: Route): PluginEntry => {
    const entry = entryOf(from.draft, definition);
    // Setting a plugin up for the first time means switching it on.
    return isConfigured(from, definition) ? entry : { ...entry, enabled: true };
  };
  const [entry, setEntry] = useState(() => start(route));
  const [origin, setOrigin] = useState(entry);
  const isDirty = !isSame(entry, origin);
  const draft = useDraft(route, isDirty);
  const [wasTried, setTried] = useState(false);
  const [apiFields, setApiFields] = useState<Record<string, string>>({});
  const [failures, setFailures] = useState<readonly string[]>([]);
  const [saving, setSaving] = useState<'draft' | 'deploy'>();
  const parsed = check.parse(entry.config);
  const errors = { ...(wasTried ? check.errorsOf(entry.config) : {}), ...apiFields };
  const notices = pluginNotices(definition, entry.config);
  const limit = draft.error instanceof ApiError && isPlanLimit(draft.error.code) ? draft.error.code : undefined;
  const theirs = draft.theirs;
  const flat = ({ enabled, config }: PluginEntry): PluginConfig => ({ enabled, ...config });
  const join = (newer: Route, sides: Readonly<Record<string, Side>> = {}) =>
    mergeDraft<PluginConfig>(flat(origin), flat(entry), flat(start(newer)), sides);

  function take(next: PluginEntry) {
    setEntry(next);
    // An error leaves with what it is about, and with nothing else.
    const isAsBefore = (path: string) =>
      isSame(valueAt(entry.config, path.split('.')), valueAt(next.config, path.split('.')));
    setApiFields((fields) => Object.fromEntries(Object.entries(fields).filter(([path]) => isAsBefore(path))));
  }
  /** Goes on upon their draft: with what was typed as far as `sides` keeps it, or with nothing of it. */
  function rebase(sides: Readonly<Record<string, Side>> | undefined) {
    if (!theirs) return;
    const { enabled, ...config } = join(theirs, sides).value;
    setOrigin(start(theirs));
    take(sides ? { name: entry.name, enabled: enabled === true, config } : start(theirs));
    draft.rebase();
    draft.reset();
    setFailures([]);
  }
  async function save(deploy: boolean, note: string) {
    setTried(true);
    setFailures([]);
    const filledIn = { ...entry, config: withoutEmptyRows(entry.config) };
    take(filledIn);
    if (!parsed.success) return leadToError();
    setSaving(deploy ? 'deploy' : 'draft');
    try {
      await draft.save({ plugins: [{ ...entry, config: parsed.data as PluginConfig }] }, deploy, note);
      setOrigin(filledIn);
      if (!deploy) notify({ tone: 'success', title: tSave('savedDraft') });
      onOpenChange(false);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isStale(error)) return;
      const { fields, others } = check.ofApi(error);
      setApiFields(fields);
      setFailures(Object.keys(fields).length === 0 ? errorList(error) : others);
      leadToError();
    } finally {
      setSaving(undefined);
    }
  }
  const others = diffConfigs(route.live, route.draft, pluginDefaults).filter(({ plugin }) => plugin !== entry.name);
  const also = alsoDeployed(route, others.length);
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={pluginName(words, definition.name)}
      description={words('description')}
      dirty={isDirty}
      busy={saving !== undefined}
      footer={
        <>
          <ErrorCount count={Object.keys(errors).length} />
          {also && isDirty && <p className="mb-1 w-full text-sm text-muted phone:flex-none!">{also}</p>}
          <SaveButtons
            isDirty={isDirty || !(isConfigured(route, definition) || definition.isAlwaysOn)}
            saving={saving}
            disabled={theirs !== undefined || route.operation?.state === 'running'}
            onSave={(deploy, note) => void save(deploy, note)}
          />
        </>
      }
    >
      <div ref={body} className="flex flex-col gap-5">
        {theirs && (
          <Conflict
            base={draft.base}
            theirs={theirs}
            mine={withEntry(draft.base.draft, entry)}
            contested={join(theirs).contested.map((key) => ({
              key,
              label: key === 'enabled' ? t('enabled') : words(`fields.${key}.label`),
            }))}
            keyOf={(change) => (change.plugin === entry.name ? change.field : undefined)}
            onResolve={rebase}
            onTakeTheirs={() => rebase(undefined)}
          />
        )}
        {limit && <UpgradePrompt reason={limit} />}
        {!limit && failures.length > 0 && (
          <Callout tone="danger" role="alert">
            {failures.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </Callout>
        )}
        <div className="rounded-control bg-sunken px-4 py-3">
          <Switch
            label={t('enabled')}
            hint={t(entry.enabled ? 'enabledHint' : 'disabledHint')}
            checked={entry.enabled}
            disabled={saving !== undefined}
            onChange={(event) => take({ ...entry, enabled: event.target.checked })}
            end
          />
        </div>
        <PluginFields
          definition={definition}
          words={words}
          value={entry.config}
          onChange={(config) => take({ ...entry, config })}
          errors={errors}
          disabled={saving !== undefined}
        />
        {notices.length > 0 && (
          <Callout tone="info">
            <ul className="flex flex-col gap-1">
              {notices.map((notice) => (
                <li key={`${notice.path} ${notice.message}`}>{words(notice.message, notice.params)}</li>
              ))}
            </ul>
          </Callout>
        )}
      </div>
    </Sheet>
  );
}
