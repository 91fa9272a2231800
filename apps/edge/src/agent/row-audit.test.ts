import { describe, expect, it } from 'vitest';
import { RowAudit } from './row-audit.ts';

/** Looks once a second at an nginx whose count and rows are given for each second; rows are complete up to a second ago. */
function lostOf(audit: RowAudit, owed: readonly number[], found: readonly number[], from = 0): number {
  for (const [second, count] of owed.entries()) {
    const now = (from + second) * 1000;
    audit.note({ rows_owed: count, workers: [] }, { rows: found[second] ?? 0, completeUntil: now - 1000 }, now);
  }
  return audit.lost;
}
function started(found = 0): RowAudit {
  const audit = new RowAudit();
  audit.noteStart(found);
  return audit;
}
const idle = (rows: number) => Array.from({ length: 6 }, () => rows);

describe('rows that nginx could not write', () => {
  it('are those that it has counted and that never came', () => {
    expect(lostOf(started(), [0, 100, 200, ...idle(300)], [0, 50, 60, ...idle(70)])).toBe(230);
    expect(lostOf(started(40), [0, 100, ...idle(100)], [40, 60, ...idle(60)])).toBe(80);
  });

  it('are not those that are on their way', () => {
    const steady = Array.from({ length: 30 }, (_, second) => second * 100);
    expect(lostOf(started(), steady, [0, 0, ...steady])).toBe(0);
    expect(lostOf(started(), [0, 500, 500, 500, ...idle(500)], [0, 0, 0, 500, ...idle(500)])).toBe(0);
  });

  it('are known of an nginx that was taken over from then on', () => {
    const audit = new RowAudit();
    expect(lostOf(audit, [1000, 1000, 1000, 1000, ...idle(1000)], [0, 0, 7, 7, ...idle(7)])).toBe(0);
    expect(lostOf(audit, [1000, 1100, ...idle(1100)], [7, 27, ...idle(27)], 20)).toBe(80);
  });

  it('are not made up by a worker that was killed with rows that it had not counted', () => {
    const audit = started();
    expect(lostOf(audit, [0, 100, ...idle(100)], [0, 130, ...idle(130)])).toBe(0);
    expect(lostOf(audit, [100, 200, ...idle(200)], [130, 180, ...idle(180)], 20)).toBe(50);
  });

  it('are none where a count was once too high', () => {
    expect(lostOf(started(), [0, 101, ...idle(100)], [0, 100, ...idle(100)])).toBe(0);
  });

  it('are not those of a worker that hangs and comes back', () => {
    const audit = started();
    lostOf(audit, [0, 100], [0, 100]);
    const look = (second: number, rows: number, silent_seconds: number) =>
      audit.note(
        { rows_owed: 150, workers: [{ pid: 7, silent_seconds }] },
        { rows, completeUntil: second * 1000 - 1000 },
        second * 1000,
      );
    for (let second = 2; second < 8; second += 1) look(second, 100, second - 1);
    for (let second = 8; second < 14; second += 1) look(second, second < 9 ? 100 : 150, 0);
    expect(audit.lost).toBe(0);
  });

  it('are not looked for while the log cannot be read to its end', () => {
    const audit = started();
    for (let second = 0; second < 30; second += 1)
      audit.note({ rows_owed: 500, workers: [] }, { rows: 0, completeUntil: 0 }, second * 1000);
    expect(audit.lost).toBe(0);
  });

  it('of an nginx that ended are kept when the next one counts from the beginning', () => {
    const audit = started();
    lostOf(audit, [0, 100, ...idle(100)], [0, 90, ...idle(90)]);
    audit.noteStart(90);
    expect(lostOf(audit, [0, 30, ...idle(30)], [90, 120, ...idle(120)], 50)).toBe(10);
  });
});
