import { expect, it } from 'vitest';
import { listViewStateOf } from './list-state';

it.each([
  [{ hasRows: false, isFetching: false, isSaving: false }, 'none'],
  [{ hasRows: true, isFetching: false, isSaving: false }, 'idle'],
  [{ hasRows: true, isFetching: true, isSaving: false }, 'loading'],
  [{ hasRows: false, isFetching: true, isSaving: false }, 'loading'],
  [{ hasRows: true, isFetching: true, isSaving: true }, 'saving'],
] as const)('%j is %s', (list, state) => {
  expect(listViewStateOf(list)).toBe(state);
});
