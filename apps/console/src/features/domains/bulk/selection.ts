import {
  DOMAIN_SELECTION_CHARACTERS_MAX,
  type RouteFilter,
  type RouteSelection,
  type RouteSummary,
} from '@cordon/contract';
import { useState } from 'react';
import { domainActions } from '../../../domain/model/domain-state';

/** Domains picked one by one, over pages and searches, or all that match the filter. */
export interface Picked {
  /** Names by id. */
  readonly names: ReadonlyMap<string, string>;
  readonly isAllMatching: boolean;
}

const NOTHING: Picked = { names: new Map(), isAllMatching: false };

/** What is picked, as the API takes it, and how long it is. */
export function describePicked(picked: Picked, filter: RouteFilter, matching: number) {
  const names = [...picked.names.values()];
  const characters = names.reduce((sum, name) => sum + name.length, 0);
  const selection: RouteSelection = picked.isAllMatching ? { filter } : { names };
  return {
    selection,
    count: picked.isAllMatching ? matching : names.length,
    characters: picked.isAllMatching ? undefined : characters,
    /** Spec section 5: a selection of names is bounded, one by filter is not. */
    isTooLong: !picked.isAllMatching && characters > DOMAIN_SELECTION_CHARACTERS_MAX,
  };
}

/** Whether one of the picked may be resumed; those of other pages, of which only the name is known, may be. */
export function canResume({ names }: Picked, rows: readonly RouteSummary[]): boolean {
  const here = new Map(rows.map((row) => [row.id, row]));
  return [...names.keys()].some((id) => {
    const row = here.get(id);
    return !row || domainActions(row).resume;
  });
}

/**
 * The selection of the list. Ids that the table adds are of rows that it shows; those of other pages stay. Another
 * filter (another `filterKey`) ends "all that match".
 */
export function useSelection(rows: readonly RouteSummary[] | undefined, filterKey: string) {
  const [picked, setPicked] = useState<Picked>(NOTHING);
  const [pickedUnder, setPickedUnder] = useState(filterKey);
  const current = picked.isAllMatching && pickedUnder !== filterKey ? NOTHING : picked;
  const here = new Map(rows?.map((row) => [row.id, row.domain_name]));
  return {
    picked: current,
    selected: current.isAllMatching ? new Set(here.keys()) : new Set(current.names.keys()),
    /** Every row of this page is picked, and there are more. */
    isWholePage: here.size > 0 && [...here.keys()].every((id) => current.names.has(id)),
    select(ids: ReadonlySet<string>) {
      const names = new Map<string, string>();
      for (const id of ids) {
        const name = here.get(id) ?? current.names.get(id);
        if (name !== undefined) names.set(id, name);
      }
      setPicked({ names, isAllMatching: false });
    },
    /** Adds domains that this page may not show. */
    add(routes: Iterable<Pick<RouteSummary, 'id' | 'domain_name'>>) {
      const names = new Map(current.isAllMatching ? [] : current.names);
      for (const { id, domain_name } of routes) names.set(id, domain_name);
      setPicked({ names, isAllMatching: false });
    },
    selectAllMatching() {
      setPicked({ names: current.names, isAllMatching: true });
      setPickedUnder(filterKey);
    },
    clear: () => setPicked(NOTHING),
  };
}
