import { diffArrays } from 'diff';

/** One line of two texts laid over each other. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** What is shown: a line, or how many equal ones are left out in its place. */
export type ShownLine = DiffLine | { readonly kind: 'folded'; readonly count: number };

/** Beyond so many differing lines a shortest script is not looked for: everything old goes, everything new comes. */
const EDITS_MAX = 1_500;

function diffMiddle(before: string[], after: string[]): DiffLine[] {
  const parts = diffArrays(before, after, { maxEditLength: EDITS_MAX }) ?? [
    { removed: true, value: before },
    { added: true, value: after },
  ];
  return parts.flatMap(({ added, removed, value }: { added?: boolean; removed?: boolean; value: string[] }) => {
    const kind = added ? 'added' : removed ? 'removed' : 'same';
    return value.map((text) => ({ kind, text }) as const);
  });
}

/** Lines that came, went and stayed; what is equal at both ends costs nothing and stays, however much differs between. */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end++;
  const same = (text: string): DiffLine => ({ kind: 'same', text });
  return [
    ...before.slice(0, start).map(same),
    ...diffMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ];
}

/** Leaves out what is equal and further than `context` lines from a difference. */
export function foldEqual(lines: readonly DiffLine[], context = 3): ShownLine[] {
  const isNear = new Array<boolean>(lines.length).fill(false);
  lines.forEach((line, index) => {
    if (line.kind === 'same') return;
    for (let near = Math.max(0, index - context); near <= Math.min(lines.length - 1, index + context); near++)
      isNear[near] = true;
  });
  const shown: ShownLine[] = [];
  let folded = 0;
  const flush = (index: number) => {
    const rest = lines[index - 1];
    // One line hidden behind "1 line" would save nothing.
    if (folded === 1 && rest) shown.push(rest);
    else if (folded > 1) shown.push({ kind: 'folded', count: folded });
    folded = 0;
  };
  lines.forEach((line, index) => {
    if (!isNear[index]) {
      folded++;
      return;
    }
    flush(index);
    shown.push(line);
  });
  flush(lines.length);
  return shown;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, part]) => [key, sorted(part)]),
  );
}

/** A value as lines of JSON; keys in order of the alphabet, so that their order is never a difference. */
export const jsonLines = (value: unknown): string[] =>
  value === null || value === undefined ? [] : JSON.stringify(sorted(value), null, 2).split('\n');
