import { isSame } from './config-diff';

type Fields = Readonly<Record<string, unknown>>;

export interface Merge<T> {
  readonly value: T;
  /** Fields that both sides changed to something else: what was typed wins, the reader is told. */
  readonly contested: readonly string[];
}

/**
 * Joins what was typed (`mine`) with what somebody saved meanwhile (`theirs`), both made from `base`: a field that was
 * not touched here takes theirs, a touched one stays. Nothing typed is lost.
 */
export function keepMine<T extends Fields>(base: T, mine: T, theirs: T): Merge<T> {
  const value: Record<string, unknown> = {};
  const contested: string[] = [];
  for (const key of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
    const isTouched = !isSame(base[key], mine[key]);
    value[key] = isTouched ? mine[key] : theirs[key];
    if (isTouched && !isSame(base[key], theirs[key]) && !isSame(mine[key], theirs[key])) contested.push(key);
  }
  return { value: value as T, contested };
}
