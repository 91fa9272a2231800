import { NODE_UNSTORED_REASONS, UNSTORED_REASONS } from '@cordon/plugin-kit/shared-cache';
import { CACHE_OUTCOMES } from './access-log-row.ts';

/** Requests of visitors and bytes sent to them by what the cache had to do with them, and answers that were not stored by why. */
interface CacheCounts {
  readonly requests: Record<string, number>;
  readonly sentBytes: Record<string, number>;
  readonly unstored: Record<string, number>;
}

const zeros = (names: readonly string[]): Record<string, number> => Object.fromEntries(names.map((name) => [name, 0]));

/** `bypass`: the request passed by the cache. `none`: it was not looked for. */
const OUTCOMES = [...new Set([...CACHE_OUTCOMES.values(), 'bypass', 'none'])];
const REASONS = [...UNSTORED_REASONS, ...NODE_UNSTORED_REASONS];

export const noCacheCounts = (): CacheCounts => ({
  requests: zeros(OUTCOMES),
  sentBytes: zeros(OUTCOMES),
  unstored: zeros(REASONS),
});

const NEWLINE = 10;
const QUOTE = 34;
const BYTES = ',"o":';
const CACHE = ',"cs":"';
const BYPASS = ',"cb":"';
const UNSTORED = ',"cn":"';

/** The field that begins with `start`, in the line of which `from` is in; such a start is in no value, whose quotes are escaped. */
function textAfter(content: Buffer, start: string, from: number): string {
  const at = content.indexOf(start, from, 'latin1') + start.length;
  return content.toString('latin1', at, content.indexOf(QUOTE, at));
}

function countLine(content: Buffer, from: number, to: number, counts: CacheCounts): void {
  const cacheAt = content.indexOf(CACHE, from, 'latin1');
  // Cut off, or of an earlier release.
  if (cacheAt === -1 || cacheAt >= to) return;
  const bytesAt = content.indexOf(BYTES, from, 'latin1') + BYTES.length;
  const bytes = Number.parseInt(content.toString('latin1', bytesAt, bytesAt + 16), 10);
  const status = textAfter(content, CACHE, cacheAt);
  const isBypassed = textAfter(content, BYPASS, cacheAt) !== '';
  const outcome = isBypassed ? 'bypass' : (CACHE_OUTCOMES.get(status) ?? 'none');
  counts.requests[outcome] = (counts.requests[outcome] ?? 0) + 1;
  counts.sentBytes[outcome] = (counts.sentBytes[outcome] ?? 0) + (bytes || 0);
  // Without the cache, it is what an origin has written.
  const reason = status === '' ? '' : textAfter(content, UNSTORED, cacheAt);
  if (Object.hasOwn(counts.unstored, reason)) counts.unstored[reason] = (counts.unstored[reason] ?? 0) + 1;
}

/** Adds the lines of a part of nginx's log (log_format `cordon`). They are not taken apart: that would hold the agent for as long as sending them does. */
export function countCache(content: Buffer, counts: CacheCounts): void {
  let from = 0;
  for (let to = content.indexOf(NEWLINE); to !== -1; to = content.indexOf(NEWLINE, from)) {
    countLine(content, from, to, counts);
    from = to + 1;
  }
}
