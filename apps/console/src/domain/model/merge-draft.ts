import { isSame } from '@cordon/contract';

type Fields = Readonly<Record<string, unknown>>;

/** Whose change of a setting counts. */
export type Side = 'mine' | 'theirs';

export interface Merge<T> {
  readonly value: T;
  /** Conflicts: fields that both sides changed to different values. Mine is kept unless the user chooses theirs. */
  readonly contested: readonly string[];
}

/**
 * Joins what was typed (`mine`) with what another user saved meanwhile (`theirs`), both made from `base`: a field that was
 * not touched here takes theirs, a touched one stays unless `sides` gives it up. Nothing typed is lost unasked.
 */
export function mergeDraft<T extends Fields>(
  base: T,
  mine: T,
  theirs: T,
  sides: Readonly<Record<string, Side>> = {},
): Merge<T> {
  const value: Record<string, unknown> = {};
  const contested: string[] = [];
  for (const key of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
    const isTouched = !isSame(base[key], mine[key]);
    const isContested = isTouched && !isSame(base[key], theirs[key]) && !isSame(mine[key], theirs[key]);
    value[key] = isTouched && !(isContested && sides[key] === 'theirs') ? mine[key] : theirs[key];
    if (isContested) contested.push(key);
  }
  return { value: value as T, contested };
}
