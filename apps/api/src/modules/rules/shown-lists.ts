import { entryText, isSame, type PluginEntry, type PluginListCounts } from '@cordon/contract';

/** Entries of a list that are shown on each side; a page has a hundred domains, each with lists of thousands. */
export const ENTRIES_SHOWN = 50;

interface Side {
  readonly plugins: readonly PluginEntry[];
}

type Config = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Config =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The entries of `list` that `other` has not, each once. */
function missingIn(other: readonly unknown[], list: readonly unknown[]): unknown[] {
  const seen = new Set(other.map(entryText));
  return list.filter((entry) => {
    const text = entryText(entry);
    return !seen.has(text) && seen.add(text);
  });
}

type Counts = Omit<PluginListCounts, 'plugin' | 'path'>;

/** Of two long lists what differs first: entries that go and that come, or the place from which the order is another. */
function shownOf(before: readonly unknown[], after: readonly unknown[]) {
  const removed = missingIn(after, before);
  const added = missingIn(before, after);
  const counts: Counts = {
    before: before.length,
    after: after.length,
    added: added.length,
    removed: removed.length,
  };
  if (added.length + removed.length > 0)
    return { before: removed.slice(0, ENTRIES_SHOWN), after: added.slice(0, ENTRIES_SHOWN), counts };
  const longer = before.length > after.length ? before : after;
  const from = Math.max(
    longer.findIndex((_, index) => !isSame(before[index], after[index])),
    0,
  );
  const cut = (list: readonly unknown[]) => list.slice(from, from + ENTRIES_SHOWN);
  return { before: cut(before), after: cut(after), counts };
}

const isLong = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > ENTRIES_SHOWN;
const isList = (value: unknown): value is unknown[] | undefined => value === undefined || Array.isArray(value);

/** Both values with long lists cut; `found` gets their counts. What differs still does. */
function cutValues(
  before: unknown,
  after: unknown,
  path: string,
  found: (path: string, counts: Counts) => void,
): [unknown, unknown] {
  if ((isLong(before) && isList(after)) || (isLong(after) && isList(before))) {
    const shown = shownOf(before ?? [], after ?? []);
    found(path, shown.counts);
    return [before && shown.before, after && shown.after];
  }
  if (!isObject(before ?? {}) || !isObject(after ?? {})) return [before, after];
  const [old, fresh] = [(before ?? {}) as Config, (after ?? {}) as Config];
  const cutOld: Record<string, unknown> = {};
  const cutFresh: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(old), ...Object.keys(fresh)])) {
    const [one, other] = cutValues(old[key], fresh[key], path === '' ? key : `${path}.${key}`, found);
    if (key in old) cutOld[key] = one;
    if (key in fresh) cutFresh[key] = other;
  }
  return [before && cutOld, after && cutFresh];
}

/** Plugins of a preview's two sides with long lists cut to what differs first, and how many entries each has. */
export function cutLists<Before extends Side, After extends Side>(before: Before, after: After) {
  const lists: PluginListCounts[] = [];
  const cut = new Map<string, { before: unknown; after: unknown }>();
  const configIn = (side: Side, name: string) => side.plugins.find((plugin) => plugin.name === name)?.config;
  for (const name of new Set([...before.plugins, ...after.plugins].map((plugin) => plugin.name))) {
    const [old, fresh] = cutValues(configIn(before, name), configIn(after, name), '', (path, counts) =>
      lists.push({ plugin: name, path, ...counts }),
    );
    cut.set(name, { before: old, after: fresh });
  }
  const withCut = (plugins: readonly PluginEntry[], side: 'before' | 'after') =>
    plugins.map((plugin) => ({ ...plugin, config: cut.get(plugin.name)?.[side] as PluginEntry['config'] }));
  return {
    before: { ...before, plugins: withCut(before.plugins, 'before') },
    after: { ...after, plugins: withCut(after.plugins, 'after') },
    lists,
  };
}
