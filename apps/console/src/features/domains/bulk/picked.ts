import {
  DOMAIN_SELECTION_CHARACTERS_MAX,
  type RouteFilter,
  type RouteSelection,
  type RouteSummary,
} from '@cordon/contract';
import { domainActions } from '../../../domain/model/domain-state';
import type { Picked } from './selection';

/** What is picked, as the API takes it, and how long it is. */
export function describePicked(picked: Picked, filter: RouteFilter, matching: number) {
  const names = [...picked.names.values()];
  const characters = names.reduce((sum, name) => sum + name.length, 0);
  const selection: RouteSelection = picked.isAllMatching ? { filter } : { names };
  return {
    selection,
    count: picked.isAllMatching ? matching : names.length,
    characters: picked.isAllMatching ? undefined : characters,
    /** For how many more names there is room, if they are as long as these. */
    left:
      characters === 0 || picked.isAllMatching
        ? Number.POSITIVE_INFINITY
        : Math.floor(((DOMAIN_SELECTION_CHARACTERS_MAX - characters) * names.length) / characters),
    /** Spec section 5: a selection of names is bounded, one by filter is not. */
    isTooLong: !picked.isAllMatching && characters > DOMAIN_SELECTION_CHARACTERS_MAX,
  };
}

/** Whether one of the picked may be resumed: of all that match one may be off, and of those of other pages what was seen of them counts. */
export function canResume({ names, isAllMatching, unresumable }: Picked, rows: readonly RouteSummary[]): boolean {
  if (isAllMatching) return true;
  const here = new Map(rows.map((row) => [row.id, row]));
  return [...names.keys()].some((id) => {
    const row = here.get(id);
    return row ? domainActions(row).resume : !unresumable?.has(id);
  });
}
