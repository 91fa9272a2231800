import { describe, expect, it } from 'vitest';
import { byteCount, textOfBytes } from './byte-text.ts';
import { indexArguments } from './named-values.ts';
import { compilePattern, type Pattern } from './pattern.ts';
import { createRequestWork, matchesAnyWithin, matchesWithin, possibleWithin, spendOn } from './request-work.ts';

function patternOf(source: string): Pattern {
  const { pattern } = compilePattern(source);
  if (pattern === undefined) throw new Error(`${source} is no pattern`);
  return pattern;
}

describe('what a request may cost', () => {
  it('is enough for 500 patterns in a field of 3 kB, and not for as many in 15.9 kB', () => {
    const [short, long] = [createRequestWork(), createRequestWork()];
    const patterns = Array.from({ length: 500 }, (_, at) => patternOf(`zz${at}q`));
    expect(patterns.map((pattern) => matchesWithin(short, pattern, 'a'.repeat(3000)))).not.toContain(undefined);
    expect(patterns.map((pattern) => matchesWithin(long, pattern, 'a'.repeat(15_900)))).toContain(undefined);
    expect([short.doubtCount > 0, long.doubtCount > 0]).toEqual([false, true]);
  });

  it('counts bytes that belong to no character as what they are searched as, and repairs them once', () => {
    const work = createRequestWork();
    const text = textOfBytes('\xff'.repeat(1000));
    const before = work.stepsLeft;
    expect(matchesWithin(work, patternOf('a'), text)).toBe(false);
    const cost = before - work.stepsLeft;
    expect(cost).toBeGreaterThanOrEqual(4000);
    const repaired = work.bytesOf?.[text];
    expect(repaired).toHaveLength(3000);
    expect(matchesWithin(work, patternOf('b'), text)).toBe(false);
    expect(before - work.stepsLeft).toBe(2 * cost);
  });

  it('leaves what is cheap after something that was too much', () => {
    const work = createRequestWork();
    expect(spendOn(work, 'a', 3_000_000, 0)).toBe(false);
    expect(spendOn(work, 'a', 10, 1)).toBe(true);
    expect(work.doubtCount).toBe(1);
  });

  it('bounds how much of automata is made for one request, which others go on with', () => {
    const patterns = Array.from({ length: 40 }, (_, at) => patternOf(`(a|b)*a(a|b){8}[^ab]${at}`));
    let state = 7;
    const text = Array.from({ length: 5000 }, () => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state > 1_073_741_824 ? 'a' : 'b';
    }).join('');
    const first = createRequestWork();
    const found = patterns.map((pattern) => matchesWithin(first, pattern, text));
    expect(found).toContain(undefined);
    expect(first.doubtCount).toBe(found.filter((one) => one === undefined).length);
    const made = patterns.reduce((sum, { visitCount }) => sum + visitCount, 0);
    expect(made).toBeLessThan(400_000);
    const again = createRequestWork();
    expect(matchesWithin(again, patterns[0] as Pattern, text)).toBe(false);
    expect(again.growthLeft).toBe(createRequestWork().growthLeft);
  });

  it('is in doubt once for each pattern that there are no steps left for', () => {
    const work = createRequestWork();
    work.stepsLeft = 100;
    expect(matchesWithin(work, patternOf('a'), 'b'.repeat(200))).toBe(undefined);
    expect(work).toMatchObject({ doubtCount: 1, stepsLeft: 100 });
    expect(matchesAnyWithin(work, patternOf('a'), ['b', 'b'.repeat(200)])).toBe(true);
    expect(matchesAnyWithin(work, patternOf('a'), ['b', 'b'])).toBe(false);
    expect(work.doubtCount).toBe(2);
  });

  it('is in doubt each time that there is too much of a name to look at', () => {
    const work = createRequestWork();
    const index = indexArguments('x&'.repeat(2500));
    expect([possibleWithin(work, index, 'x'), possibleWithin(work, index, 'x')]).toEqual([undefined, undefined]);
    expect(possibleWithin(work, index, 'y')).toEqual({ values: [], isSure: false });
    expect(work.doubtCount).toBe(2);
  });

  it('counts the same bytes in Node as in nginx', () =>
    expect(['a', 'é', '€', '😀', textOfBytes('\xff'), '\ud800'].map((text) => byteCount(text))).toEqual([
      1, 2, 3, 4, 1, 3,
    ]));
});

it('makes the automata of 500 ordinary patterns for one request', () => {
  const work = createRequestWork();
  const agent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
  const patterns = Array.from({ length: 500 }, (_, at) => patternOf(`(?i)(bot|crawl(er)?|scan)[-/ ]?${at}`));
  expect(patterns.map((pattern) => matchesWithin(work, pattern, agent))).not.toContain(undefined);
});
