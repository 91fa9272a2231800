import type { listViewState } from '@cordon/contract';

export type ListViewState = (typeof listViewState.options)[number];

/** Spec section 4: none until there is anything to show, loading, saving while a change is on its way, else idle. */
export function listViewStateOf(list: { hasRows: boolean; isFetching: boolean; isSaving: boolean }): ListViewState {
  if (list.isSaving) return 'saving';
  if (list.isFetching) return 'loading';
  return list.hasRows ? 'idle' : 'none';
}
