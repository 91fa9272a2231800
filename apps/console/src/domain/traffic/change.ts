/** Change of a number against the period before, as a share of 1; undefined when there is nothing to compare with. */
export function changeOf(now: number, before: number): number | undefined {
  if (before === 0) return undefined;
  return (now - before) / before;
}

export type Direction = 'up' | 'down' | 'flat';

/** Less than half a percent either way is flat. */
export function directionOf(change: number): Direction {
  if (Math.abs(change) < 0.005) return 'flat';
  return change > 0 ? 'up' : 'down';
}
