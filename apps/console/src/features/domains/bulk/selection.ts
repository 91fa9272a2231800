import type { RouteSummary } from '@cordon/contract';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { domainActions } from '../../../domain/model/domain-state';

/** Domains picked one by one, over pages and searches, or all that match the filter. */
export interface Picked {
  /** Names by id. */
  readonly names: ReadonlyMap<string, string>;
  readonly isAllMatching: boolean;
  /** Those of them that could not be resumed when they were seen. */
  readonly unresumable?: ReadonlySet<string>;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The way back to a list, with what was selected when it was left. */
    keepsSelection?: boolean;
  }
}

/** What was selected when the list was left, and under which filter. */
let left: readonly [Picked, string] | undefined;

const NOTHING: Picked = { names: new Map(), isAllMatching: false };

/**
 * The selection of the list. Ids that the table adds are of rows that it shows; those of other pages stay. Another
 * filter (another `filterKey`) ends "all that match".
 */
export function useSelection(rows: readonly RouteSummary[] | undefined, filterKey: string) {
  const isBack = useLocation({ select: ({ state }) => state.keepsSelection });
  const [kept, keptUnder] = (isBack && left) || [NOTHING, filterKey];
  const [picked, setPicked] = useState(kept);
  const [pickedUnder, setPickedUnder] = useState(keptUnder);
  useEffect(
    () => () => {
      left = [picked, pickedUnder];
    },
    [picked, pickedUnder],
  );
  const current = picked.isAllMatching && pickedUnder !== filterKey ? NOTHING : picked;
  const here = new Map(rows?.map((row) => [row.id, row.domain_name]));
  const seen = new Map(rows?.map((row) => [row.id, domainActions(row).resume]));
  return {
    picked: current,
    selected: current.isAllMatching ? new Set(here.keys()) : new Set(current.names.keys()),
    /** Every row of this page is picked, and there are more. */
    isWholePage: here.size > 0 && [...here.keys()].every((id) => current.names.has(id)),
    select(ids: ReadonlySet<string>) {
      const names = new Map<string, string>();
      const cannotBe = (id: string) => !(seen.get(id) ?? !current.unresumable?.has(id));
      const unresumable = new Set([...ids].filter(cannotBe));
      for (const id of ids) {
        const name = here.get(id) ?? current.names.get(id);
        if (name !== undefined) names.set(id, name);
      }
      setPicked({ names, unresumable, isAllMatching: false });
    },
    /** Adds domains that this page may not show. */
    add(routes: Iterable<Pick<RouteSummary, 'id' | 'domain_name'>>) {
      const names = new Map(current.isAllMatching ? [] : current.names);
      for (const { id, domain_name } of routes) names.set(id, domain_name);
      setPicked({ ...current, names, isAllMatching: false });
    },
    selectAllMatching() {
      setPicked({ names: current.names, isAllMatching: true });
      setPickedUnder(filterKey);
    },
    clear: () => setPicked(NOTHING),
  };
}
