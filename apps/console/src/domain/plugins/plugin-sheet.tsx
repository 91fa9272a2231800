import { type ConfigChange, diffConfigs, type Route, type RouteConfig } from '@cordon/contract';
import { isSame } from '@cordon/contract/is-same';
import type { PluginDefinition } from '@cordon/plugin-kit';
import { useMemo, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { findFirstField } from '../../ui/first-field';
import { useLeadToError } from '../../ui/lead-to-error';
import { notify } from '../../ui/notices';
import { Sheet } from '../../ui/sheet';
import { Switch } from '../../ui/switch';
import { AlsoDeployed, useAlsoDeployed } from '../changes/also-deployed';
import { Conflict } from '../changes/lazy-conflict';
import { pluginDefaults } from '../changes/plugin-defaults';
import { Callout } from '../form/callout';
import { SaveButtons } from '../form/save-buttons';
import { UpgradePrompt } from '../form/upgrade-prompt';
import { canSave } from '../model/domain-state';
import { parseConfig } from '../model/parse-config';
import { entryOf, isConfigured, withEntry } from '../model/plugin-state';
import { type PluginWords, pluginName } from '../words/plugin-words';
import { earlierLimit } from './earlier-limit';
import { EarlierLimitLine } from './earlier-limit-line';
import { ErrorCount } from './error-count';
import { NoticeList } from './notice-list';
import { type PluginConfig, PluginFields } from './plugin-fields';
import type { PluginProposal } from './plugin-proposal';
import { ReplacedLine } from './replaced-line';
import { ReplayLine } from './replay-line';
import { useMissingWords } from './use-missing-words';
import { usePluginDraft } from './use-plugin-draft';
import { matchesOf, type ShownReplay, useReplay } from './use-replay';
import { useRestWords } from './use-rest-words';

interface PluginSheetProps {
  route: Route;
  definition: PluginDefinition;
  /** Of its area, itself too. */
  definitions?: readonly PluginDefinition[];
  words: PluginWords;
  /** What the form begins with in place of the draft's configuration, not saved yet. */
  proposed?: PluginConfig | undefined;
  /** The setting that is still to be changed, and with what. */
  unfinished?: PluginProposal['open'] | undefined;
  /** What has the focus once it is closed; null: what had it before. */
  focusAfter?: PluginProposal['focusAfter'] | undefined;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

type PluginDraft = ReturnType<typeof usePluginDraft>;

/** Another user's change of the draft, to be joined with what was typed. */
function PluginConflict({ draft, words }: { draft: PluginDraft; words: PluginWords }) {
  const t = useTranslations('domain.plugin');
  const { entry, base, theirs, contested, rebase } = draft;
  if (!theirs) return null;
  return (
    <Conflict
      base={base}
      theirs={theirs}
      mine={withEntry(base.draft, entry)}
      contested={contested.map((key) => ({
        key,
        label: key === 'enabled' ? t('enabled') : words(`fields.${key}.label`),
      }))}
      keyOf={(change) => (change.plugin === entry.name ? change.field : undefined)}
      onResolve={rebase}
      onTakeTheirs={() => rebase(undefined)}
    />
  );
}

/** Why it was not saved, where no field says so. */
function Refusal({ limit, refused }: PluginDraft) {
  if (limit) return <UpgradePrompt reason={limit} />;
  return (
    refused && (
      <Callout tone="danger" role="alert">
        {refused}
      </Callout>
    )
  );
}

function EnabledSwitch({ draft: { entry, take, saving } }: { draft: PluginDraft }) {
  const t = useTranslations('domain.plugin');
  return (
    <Switch
      label={t('enabled')}
      checked={entry.enabled}
      disabled={saving !== undefined}
      onChange={(event) => take({ ...entry, enabled: event.target.checked })}
      end
      // In line with the cross beside it.
      className="mt-1 phone:mt-0"
    />
  );
}

/** Changes that wait in the draft besides the plugin's own, whose thousands of entries are not looked at. */
function othersOf({ live, draft }: Route, name: string): ConfigChange[] {
  const without = (config: RouteConfig) => ({
    ...config,
    plugins: config.plugins.filter((plugin) => plugin.name !== name),
  });
  return diffConfigs(live && without(live), without(draft), pluginDefaults).filter(({ plugin }) => plugin !== name);
}

/** What it would do, errors, what else a deploy takes along, and the buttons. */
function SheetFooter({
  route,
  definition,
  definitions = [],
  draft,
  replay,
  isShown,
}: Pick<PluginSheetProps, 'route' | 'definition' | 'definitions'> & {
  draft: PluginDraft;
  replay: ShownReplay | undefined;
  /** Nothing is saved that was not to be seen. */
  isShown: boolean;
}) {
  const alsoDeployed = useAlsoDeployed();
  const others = useMemo(() => othersOf(route, definition.name), [route, definition]);
  const also = alsoDeployed(route, others);
  const hasEarlier = earlierLimit(route.draft, definition, draft.entry, definitions) !== undefined;
  // What is set up for the first time is a change as it is.
  const isChange = draft.isDirty || !(isConfigured(route, definition) || definition.isAlwaysOn);
  return (
    <>
      {isShown && (
        <EarlierLimitLine route={route} definition={definition} definitions={definitions} entry={draft.entry} />
      )}
      {isShown && <ReplacedLine {...draft} />}
      {/* What counts what the plugin stops by itself would say the opposite. */}
      {isShown && draft.entry.enabled && !hasEarlier && replay && <ReplayLine replay={replay} />}
      {/* The hand is led to a single one, which says all. */}
      <ErrorCount count={draft.errorCount > 1 ? draft.errorCount : 0} />
      {isShown && isChange && <AlsoDeployed>{also}</AlsoDeployed>}
      <SaveButtons
        isDirty={isChange}
        saving={draft.saving}
        disabled={!isShown || draft.theirs !== undefined || !canSave(route)}
        canDeploy={route.suspension === null}
        onSave={(deploy, note) => void draft.save(deploy, note)}
      />
    </>
  );
}

/** Of a list whose entries are closed, the first: on the switch above it a key would turn the plugin off. */
const firstPart = (body: HTMLElement) => findFirstField(body) ?? body.querySelector<HTMLElement>('button');

/** What the settings are called that a proposal changes: nothing else in a form tells which is which. */
function changedLabels({ draft }: Route, definition: PluginDefinition, words: PluginWords, proposed: PluginConfig) {
  const { config } = entryOf(draft, definition);
  const parsed = parseConfig(definition, config);
  const before = parsed.success ? (parsed.data as PluginConfig) : config;
  const changed = Object.keys(proposed).filter((key) => !isSame(before[key], proposed[key]));
  return changed.map((key) => words(`fields.${key}.label`));
}

const isCalled = (label: Element, names: readonly string[]) =>
  [label, ...label.querySelectorAll('*')].some(({ textContent }) => names.includes(textContent.trim()));

/** The control of the first setting that a proposal changes; where that is called nothing, of the first rows the value added last. */
function changedField(body: HTMLElement, names: readonly string[]): HTMLElement | null | undefined {
  const label = [...body.querySelectorAll('label')].find((one) => isCalled(one, names));
  if (!label) return [...(body.querySelector('fieldset')?.querySelectorAll('input') ?? [])].at(-1);
  return label.closest('[role=radiogroup]')?.querySelector<HTMLElement>('input:checked') ?? label.control;
}

/** Edits one plugin of the draft at the side of the screen, with the plugin's own form or one made from its schema. */
export default function PluginSheet(props: PluginSheetProps) {
  const { route, definition, definitions = [], words, proposed, unfinished, focusAfter, open, onOpenChange } = props;
  const t = useTranslations('domain.plugin');
  const tSave = useTranslations('domain.save');
  const body = useRef<HTMLDivElement>(null);
  const leadToError = useLeadToError(body);
  const isSaved = useRef(false);
  const draft = usePluginDraft({
    route,
    definition,
    definitions,
    words,
    proposed,
    onError: leadToError,
    onSaved(deployed) {
      isSaved.current = true;
      if (!deployed) notify({ tone: 'success', title: tSave('savedDraft') });
      onOpenChange(false);
    },
  });
  const { entry, take, saving, notices } = draft;
  const [isShown, setShown] = useState(false);
  /** The form came after the dialog had given the focus to what was there before it. */
  const onShown = () => {
    setShown(true);
    const dialog = body.current?.closest('[role=dialog]');
    const { activeElement } = document;
    // After a touch the dialog itself has the focus, and keeps it.
    if (!body.current || activeElement === dialog || !dialog?.contains(activeElement)) return;
    if (body.current.contains(activeElement)) return;
    pickField(body.current)?.focus();
  };
  const [changed] = useState(() => {
    if (unfinished) return [words(`fields.${unfinished.field}.label`)];
    return proposed && changedLabels(route, definition, words, proposed);
  });
  const pickField = (root: HTMLElement) => (changed && changedField(root, changed)) ?? firstPart(root);
  const replay = useReplay(route, definition, entry);
  const rests = useRestWords(definition);
  const missingOf = useMissingWords();
  const matches = replay && matchesOf(replay, missingOf);
  return (
    <Sheet
      open={open}
      onOpenChange={onOpenChange}
      title={pluginName(words, definition.name)}
      description={words('description')}
      actions={!definition.asksEnabled && <EnabledSwitch draft={draft} />}
      size={definition.hasWideForm ? 'lg' : 'md'}
      dirty={draft.isDirty}
      pickField={pickField}
      focusAfter={focusAfter && (() => focusAfter(isSaved.current))}
      busy={saving !== undefined}
      footer={
        <SheetFooter
          route={route}
          definition={definition}
          definitions={definitions}
          draft={draft}
          replay={replay}
          isShown={isShown}
        />
      }
    >
      <div ref={body} className="flex flex-col gap-5">
        <PluginConflict draft={draft} words={words} />
        <Refusal {...draft} />
        {unfinished && <Callout tone="info">{unfinished.hint}</Callout>}
        {!definition.asksEnabled && !entry.enabled && <p className="text-sm text-muted">{t('disabledHint')}</p>}
        {entry.enabled && rests && <p className="text-sm text-muted">{rests}</p>}
        <PluginFields
          definition={definition}
          words={words}
          value={entry.config}
          onChange={(config) => take({ ...entry, config })}
          errors={draft.errors}
          onTyping={draft.onTyping}
          disabled={saving !== undefined}
          notices={notices}
          matches={matches}
          onShown={onShown}
          enabled={entry.enabled}
          onEnabledChange={(enabled, config) => take({ ...entry, enabled, config })}
        />
        <NoticeList notices={notices} words={words} />
      </div>
    </Sheet>
  );
}
