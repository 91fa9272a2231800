import { describe, expect, it } from 'vitest';
import { type NginxLook, NginxWatch } from './nginx-watch.ts';

const well: NginxLook = {
  ...{ workers: [{ pid: 7, silent_seconds: 0.4 }], isTurnedAway: false, isMasterAwake: true },
  ...{ waits: new Map(), masterPid: 1 },
};
const silent: NginxLook = { ...well, workers: undefined };
const full: NginxLook = { ...silent, isTurnedAway: true };
const deaf: NginxLook = { ...well, isMasterAwake: false };

/** Looks once a second from `from` on, and gives when nginx was judged to hang, and what of it. */
function verdicts(watch: NginxWatch, look: NginxLook, from: number, seconds: number, everySeconds = 1) {
  const found: [number, readonly number[] | 'all'][] = [];
  for (let at = from; at <= from + seconds; at += everySeconds) {
    const verdict = watch.judge(look, at * 1000);
    if (verdict.length > 0) found.push([at, verdict]);
  }
  return found;
}

describe('nginx hangs', () => {
  it('when no worker answers for 5 s, or its master takes no signal, and is given time after that', () => {
    for (const look of [silent, deaf]) {
      const watch = new NginxWatch();
      expect(verdicts(watch, well, 0, 10)).toEqual([]);
      expect(verdicts(watch, look, 11, 13)).toEqual([
        [16, 'all'],
        [22, 'all'],
      ]);
    }
  });

  it('in part when a worker is silent for 5 s', () => {
    const watch = new NginxWatch();
    verdicts(watch, well, 0, 3);
    const workers = [
      { pid: 7, silent_seconds: 0.2 },
      { pid: 8, silent_seconds: 5.1 },
    ];
    expect(watch.judge({ ...well, workers }, 4000)).toEqual([8]);
  });

  it('is not said of one that has no connection free, until it keeps silent', () => {
    const watch = new NginxWatch();
    expect(verdicts(watch, well, 0, 3)).toEqual([]);
    expect(verdicts(watch, full, 4, 60)).toEqual([]);
    expect(verdicts(watch, silent, 65, 6)).toEqual([[70, 'all']]);
  });

  /** Each second, these processes wait so much of it for a processor. */
  const busy = (look: NginxLook, waiting: Readonly<Record<number, number>>, second: number): NginxLook => ({
    ...look,
    waits: new Map(Object.entries(waiting).map(([pid, part]) => [Number(pid), second * part * 1000])),
  });

  it('is not said of one that waits for a processor', () => {
    const watch = new NginxWatch();
    for (let second = 0; second < 40; second++) {
      const workers = [{ pid: 7, silent_seconds: second }];
      const look = second % 2 === 0 ? { ...deaf, workers } : { ...deaf, workers: undefined };
      expect(watch.judge(busy(look, { 1: 0.9, 7: 0.9 }, second), second * 1000), `${second}`).toEqual([]);
    }
  });

  it('of a worker that is stopped beside others that wait, or that runs without end', () => {
    for (const part of [0, 0.3]) {
      const watch = new NginxWatch();
      const found: (readonly number[] | 'all')[] = [];
      for (let second = 0; second < 12; second++) {
        const workers = [
          { pid: 7, silent_seconds: second },
          { pid: 8, silent_seconds: 0.3 },
        ];
        const look = busy({ ...well, workers }, { 1: 0.9, 7: part, 8: 0.9 }, second);
        found.push(watch.judge(look, second * 1000));
      }
      expect(found.flat()).toContain(7);
    }
  });

  it('is not said of one that starts, nor of a machine that was paused or too busy to look', () => {
    const watch = new NginxWatch();
    watch.noteStart(0);
    expect(verdicts(watch, silent, 0, 59)).toEqual([]);
    expect(verdicts(watch, well, 60, 5)).toEqual([]);
    expect(watch.judge({ ...deaf, workers: [{ pid: 7, silent_seconds: 600 }] }, 700_000)).toEqual([]);
    expect(verdicts(watch, silent, 710, 60, 4)).toEqual([]);
    expect(verdicts(watch, silent, 780, 6)).toEqual([[786, 'all']]);
  });
});
