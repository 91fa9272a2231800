import { fuzzyScore, SCATTERED_MAX } from './fuzzy';
import type { PaletteGroup, PaletteItem } from './palette-types';

const ITEMS_MAX = 8;
/** What the API has found for a reason of its own. */
const FOUND = 20;
/** Before anything is typed, so that every group is seen. */
const ITEMS_AT_FIRST = { domains: 5, places: 0 } as Readonly<Record<string, number>>;

/** Groups of the same id as one; of two items of the same id the first stays, with what the other knows to be wrong. */
export function joinGroups(groups: readonly PaletteGroup[]): PaletteGroup[] {
  const joined = new Map<string, PaletteGroup>();
  for (const group of groups) {
    const known = joined.get(group.id);
    const all = [...(known?.items ?? []), ...group.items];
    const unwell = new Map(all.flatMap((item) => (item.hintTone ? [[item.id, item] as const] : [])));
    const ids = new Set<string>();
    const items = all
      .filter((item) => !ids.has(item.id) && ids.add(item.id))
      .map((item) => {
        const told = unwell.get(item.id);
        return told && told !== item ? { ...item, hint: told.hint, hintTone: told.hintTone } : item;
      });
    joined.set(group.id, { ...(known ?? group), items, more: group.more ?? known?.more });
  }
  return [...joined.values()].filter((group) => group.items.length > 0);
}

/** What fits the query, best first: items in their group, groups by their best. Without a query all stays as it is. */
export function rankGroups(
  groups: readonly PaletteGroup[],
  query: string,
  found: readonly PaletteGroup[] = [],
): PaletteGroup[] {
  if (query.trim() === '')
    return joinGroups([...groups, ...found])
      .map((group) => cut(group, ITEMS_AT_FIRST[group.id]))
      .filter(({ items }) => items.length > 0);
  const fromServer = new Set(found.flatMap((group) => group.items.map((item) => item.id)));
  const score = (item: PaletteItem) => {
    const own = fuzzyScore(query, { names: item.names, labels: [item.label], phrases: item.keywords }) ?? 0;
    const isFound = fromServer.has(item.id);
    // The API has its own reasons, a remark for example.
    const isAnswer = own > SCATTERED_MAX || isFound;
    return { item, isAnswer, score: own === 0 ? (isFound ? FOUND : 0) : own + (item.bonus ?? 0) };
  };
  const scored = joinGroups([...groups, ...found]).map((group) => ({ group, items: group.items.map(score) }));
  // Letters that lie apart are a guess, for where nothing has what was typed.
  const hasAnswer = scored.some(({ items }) => items.some(({ isAnswer }) => isAnswer));
  return scored
    .map(({ group, items }) => {
      const fitting = items
        .filter((one) => (hasAnswer ? one.isAnswer : one.score > 0))
        .sort((left, right) => right.score - left.score);
      return { group: cut({ ...group, items: fitting.map(({ item }) => item) }), best: fitting[0]?.score ?? 0 };
    })
    .filter(({ group }) => group.items.length > 0)
    .sort((left, right) => right.best - left.best)
    .map(({ group }) => group);
}

const cut = (group: PaletteGroup, maximum = ITEMS_MAX): PaletteGroup => ({
  ...group,
  items: [...group.items.slice(0, maximum), ...(group.more && group.items.length > 0 ? [group.more] : [])],
});
