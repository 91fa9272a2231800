import { describe, expect, it } from 'vitest';
import { SilenceWatch } from './liveness.ts';

/** The first second, of looks `everySeconds` apart, at which a part that never answers is given up. */
function givenUpAt(everySeconds: number, upToSeconds: number): number | undefined {
  const watch = new SilenceWatch(10_000, 0);
  for (let at = everySeconds; at <= upToSeconds; at += everySeconds) if (watch.isTooLong(false, at * 1000)) return at;
  return undefined;
}

describe('a part that does not answer', () => {
  it('is given up after its bound, counted from its last answer', () => {
    expect(givenUpAt(1, 60)).toBe(11);
    const watch = new SilenceWatch(10_000, 0);
    const hung = Array.from({ length: 20 }, (_, at) => watch.isTooLong(at === 5, (at + 1) * 1000));
    expect(hung.indexOf(true)).toBe(16);
  });

  it('is not when the looks themselves came late: the machine had paused, or was too busy', () => {
    expect(givenUpAt(3, 600)).toBeUndefined();
    const watch = new SilenceWatch(10_000, 0);
    expect([9_000, 10_000, 3_600_000, 3_601_000].map((at) => watch.isTooLong(false, at))).not.toContain(true);
  });
});
