import { ApiError, isSame, type PluginEntry, type Route } from '@cordon/contract';
import type { PluginDefinition } from '@cordon/plugin-kit';
import { type ReactNode, startTransition, useMemo, useRef, useState } from 'react';
import { isStale } from '../data/use-saves';
import { isPlanLimit } from '../form/upgrade-prompt';
import { useDraft } from '../form/use-draft';
import { mergeDraft, type Side } from '../model/merge-draft';
import { entryOf, excludedEntries, isConfigured } from '../model/plugin-state';
import { useSaveErrorList } from '../words/error-words';
import type { PluginWords } from '../words/plugin-words';
import { valueAt, withoutEmptyRows } from './empty-rows';
import { countWrong } from './error-count';
import type { PluginConfig } from './plugin-fields';
import { refusedBy } from './refused';
import { startEntry } from './start-entry';
import { switchedOff } from './switched-off';
import { usePluginCheck } from './use-plugin-check';

interface PluginDraftParts {
  route: Route;
  definition: PluginDefinition;
  /** Of its area. */
  definitions: readonly PluginDefinition[];
  words: PluginWords;
  /** What is edited in place of the draft's configuration, as if it had been typed. */
  proposed: PluginConfig | undefined;
  /** Something is wrong, and said where it is. */
  onError: () => void;
  onSaved: (deployed: boolean) => void;
}

/** An entry with its switch as one more setting. */
const flat = ({ enabled, config }: PluginEntry): PluginConfig => ({ enabled, ...config });

/** What editing begins with: setting a plugin up for the first time means switching it on. */
const startOf = (route: Route, definition: PluginDefinition, words: PluginWords): PluginEntry =>
  isConfigured(route, definition) ? entryOf(route.draft, definition) : startEntry(definition, words);

/** Editing one plugin's entry in the draft: what is typed, what is wrong with it, another user's change, and saving. */
export function usePluginDraft({
  route,
  definition,
  definitions,
  words,
  proposed,
  onError,
  onSaved,
}: PluginDraftParts) {
  const errorList = useSaveErrorList();
  const [origin, setOrigin] = useState(() => startOf(route, definition, words));
  const [entry, setEntry] = useState(() => (proposed ? { ...origin, enabled: true, config: proposed } : origin));
  const isDirty = useMemo(() => !isSame(entry, origin), [entry, origin]);
  const draft = useDraft(route, isDirty);
  /** The draft that `origin` is of. */
  const [begun, setBegun] = useState(draft.base.draft);
  if (begun !== draft.base.draft) {
    const start = startOf(draft.base, definition, words);
    setBegun(draft.base.draft);
    setOrigin(start);
    // What is typed stays, as a change of what is there now.
    if (!isDirty) setEntry(start);
  }
  const [wasTried, setTried] = useState(false);
  /** The list that an entry is typed for. */
  const [typedFor, setTypedFor] = useState<string>();
  const check = usePluginCheck(definition, words, entry.config, wasTried);
  const [apiFields, setApiFields] = useState<Record<string, string>>({});
  const [refused, setRefused] = useState<ReactNode>();
  const [saving, setSaving] = useState<'draft' | 'deploy'>();
  /** Known before it is drawn. */
  const isUnderWay = useRef(false);
  const { base, theirs } = draft;
  const saved = isConfigured(base, definition) ? entryOf(base.draft, definition) : undefined;
  const off = switchedOff(definition, entry, saved);
  /** What cannot be on together with it goes off with the same save. */
  const replaced = entry.enabled ? excludedEntries(base.draft, definition, definitions) : [];
  const join = (newer: Route, sides: Readonly<Record<string, Side>> = {}) =>
    mergeDraft<PluginConfig>(flat(origin), flat(entry), flat(startOf(newer, definition, words)), sides);

  function take(next: PluginEntry) {
    setEntry(next);
    // An error leaves with what it is about, and with nothing else.
    const isAsBefore = (path: string) =>
      isSame(valueAt(entry.config, path.split('.')), valueAt(next.config, path.split('.')));
    setApiFields((fields) =>
      next.enabled ? Object.fromEntries(Object.entries(fields).filter(([path]) => isAsBefore(path))) : {},
    );
  }
  function rebase(sides: Readonly<Record<string, Side>> | undefined) {
    if (!theirs) return;
    const start = startOf(theirs, definition, words);
    const { enabled, ...config } = join(theirs, sides).value;
    setOrigin(start);
    take(sides ? { name: entry.name, enabled: enabled === true, config } : start);
    draft.rebase();
    draft.reset();
    setRefused(undefined);
  }
  async function takeRefusal(error: ApiError) {
    if (isStale(error)) return;
    const { fields, others } = check.ofApi(error);
    setApiFields(fields);
    setRefused(await refusedBy(error, base.id, Object.keys(fields).length === 0 ? errorList(error) : others));
    onError();
  }
  async function save(deploy: boolean, note: string) {
    if (isUnderWay.current) return;
    const filledIn = { ...entry, config: withoutEmptyRows(entry.config) };
    const parsed = check.parse(entry.config);
    const isRefused = !parsed.success && !off;
    const show = () => {
      setTried(true);
      setRefused(undefined);
      take(filledIn);
      check.checkNow(filledIn.config);
      if (!isRefused) setSaving(deploy ? 'deploy' : 'draft');
    };
    if (isRefused) {
      show();
      return onError();
    }
    const plugins = parsed.success ? [{ ...entry, config: parsed.data as PluginConfig }] : (off ?? []);
    isUnderWay.current = true;
    const answer = draft.save({ plugins: [...plugins, ...replaced] }, deploy, note);
    // The request goes out before the form is drawn anew.
    startTransition(show);
    try {
      await answer;
      setOrigin(filledIn);
      onSaved(deploy);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await takeRefusal(error);
    } finally {
      isUnderWay.current = false;
      setSaving(undefined);
    }
  }
  const errors: Record<string, string> = off ? {} : { ...check.errors, ...apiFields };
  // What is typed may be what it asks for.
  if (typedFor !== undefined) delete errors[typedFor];
  return {
    entry,
    take,
    isDirty: draft.isUnsaved,
    saving,
    save,
    /** By path in the configuration. */
    errors,
    onTyping: (path: string, isTyping: boolean) => setTypedFor(isTyping ? path : undefined),
    /** Told once it was to be saved: what is wrong while it is typed is said where it is. */
    errorCount: wasTried ? countWrong(errors) : 0,
    notices: check.notices,
    replaced,
    /** What the API refused and no field shows. */
    refused,
    /** What the account's plan lacks. */
    limit: draft.error instanceof ApiError && isPlanLimit(draft.error.code) ? draft.error.code : undefined,
    base,
    theirs,
    /** Settings that both changed. */
    contested: theirs ? join(theirs).contested : [],
    /** Goes on upon their draft: with what was typed as far as `sides` keeps it, or with nothing of it. */
    rebase,
  };
}
