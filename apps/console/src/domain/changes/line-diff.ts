/** One line of two texts laid over each other. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** What is shown: a line, or how many equal ones are left out in its place. */
export type ShownLine = DiffLine | { readonly kind: 'folded'; readonly count: number };

/** Beyond so many differing lines a shortest script is not looked for: everything old goes, everything new comes. */
const EDITS_MAX = 1_500;

/** Walks Myers' trace back from the end to the lines (E. Myers, "An O(ND) Difference Algorithm", 1986). */
function walkBack(a: readonly string[], b: readonly string[], trace: readonly Int32Array[]): DiffLine[] {
  const lines: DiffLine[] = [];
  let [x, y] = [a.length, b.length];
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const ends = trace[edits] as Int32Array;
    const offset = edits + 1;
    const at = (diagonal: number) => ends[diagonal + offset] ?? -1;
    const diagonal = x - y;
    const isDown = diagonal === -edits || (diagonal !== edits && at(diagonal - 1) < at(diagonal + 1));
    const fromDiagonal = isDown ? diagonal + 1 : diagonal - 1;
    const fromX = edits === 0 ? 0 : at(fromDiagonal);
    const fromY = fromX - (edits === 0 ? 0 : fromDiagonal);
    while (x > fromX && y > fromY && x > 0 && y > 0) {
      x--;
      y--;
      lines.push({ kind: 'same', text: a[x] ?? '' });
    }
    if (edits === 0) break;
    if (isDown) {
      y--;
      lines.push({ kind: 'added', text: b[y] ?? '' });
    } else {
      x--;
      lines.push({ kind: 'removed', text: a[x] ?? '' });
    }
  }
  return lines.reverse();
}

function shortestScript(a: readonly string[], b: readonly string[]): DiffLine[] | undefined {
  const trace: Int32Array[] = [];
  let ends = new Int32Array([0, 0, 0]);
  for (let edits = 0; edits <= Math.min(a.length + b.length, EDITS_MAX); edits++) {
    // Diagonals from -edits - 1 to edits + 1; what the step before reached is what this one starts from.
    const next = new Int32Array(2 * edits + 3).fill(-1);
    const before = ends;
    const beforeOffset = edits === 0 ? 1 : edits;
    trace.push(before.length === 2 * edits + 3 ? before : widen(before, edits, beforeOffset));
    const from = trace[edits] as Int32Array;
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const at = (one: number) => from[one + edits + 1] ?? -1;
      const isDown = diagonal === -edits || (diagonal !== edits && at(diagonal - 1) < at(diagonal + 1));
      let x = edits === 0 ? 0 : isDown ? at(diagonal + 1) : at(diagonal - 1) + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++;
      next[diagonal + edits + 1] = x;
      if (x >= a.length && x - diagonal >= b.length) return walkBack(a, b, trace);
    }
    ends = next;
  }
  return undefined;
}

/** The same ends with room for one more diagonal on each side. */
function widen(ends: Int32Array, edits: number, offset: number): Int32Array {
  const wide = new Int32Array(2 * edits + 3).fill(-1);
  wide.set(ends, edits + 1 - offset);
  return wide;
}

/** Lines that came, went and stayed; what is equal at both ends costs nothing, however long it is. */
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
  const [old, fresh] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const middle = shortestScript(old, fresh) ?? [
    ...old.map((text) => ({ kind: 'removed' as const, text })),
    ...fresh.map((text) => ({ kind: 'added' as const, text })),
  ];
  return [...before.slice(0, start).map(same), ...middle, ...before.slice(before.length - end).map(same)];
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
