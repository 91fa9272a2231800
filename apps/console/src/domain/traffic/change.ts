/** Change of a number against the period before, as a share of 1; undefined when there is nothing to compare with. */
export function changeOf(now: number, before: number): number | undefined {
  if (before === 0) return undefined;
  return (now - before) / before;
}

/** Whether the range before lies wholly in the life of what is counted: half a range is nothing to compare with. */
export function isComparable({ from, to }: { from: string; to: string }, since: string | undefined): boolean {
  const start = Date.parse(from);
  return since !== undefined && Date.parse(since) <= start - (Date.parse(to) - start);
}

export type Direction = 'up' | 'down' | 'flat';

/** Less than half a percent either way is flat. */
export function directionOf(change: number): Direction {
  if (Math.abs(change) < 0.005) return 'flat';
  return change > 0 ? 'up' : 'down';
}
