import { expect, it } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { SILENT_SECONDS } from './liveness-repository.ts';
import { watchNodes } from './node-watch.ts';

function start() {
  const calls: number[] = [];
  const clock = { ms: 0, isBroken: false };
  const reach = () => {
    if (clock.isBroken) throw new Error('no database');
  };
  const watch = watchNodes(
    {
      ping: async () => reach(),
      async markSilent() {
        reach();
        calls.push(clock.ms);
        return [];
      },
    },
    createLog('silent'),
    () => clock.ms,
  );
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      clock.ms += 1000;
      await watch.look();
    }
  };
  return { calls, clock, watch, pass };
}

it('judges no node before it has listened as long as a node may be silent', async () => {
  const { calls, pass } = start();
  await pass(SILENT_SECONDS - 1);
  expect(calls).toEqual([]);
  await pass(1);
  expect(calls).toEqual([SILENT_SECONDS * 1000]);
});

it('begins anew after a pause of its own process', async () => {
  const { calls, clock, watch, pass } = start();
  await pass(SILENT_SECONDS);
  clock.ms += 4_000;
  await watch.look();
  await pass(SILENT_SECONDS - 1);
  expect(calls).toHaveLength(1);
  await pass(1);
  expect(calls).toHaveLength(2);
});

it('begins anew after the database was away', async () => {
  const { calls, clock, pass } = start();
  await pass(SILENT_SECONDS);
  clock.isBroken = true;
  await pass(3);
  clock.isBroken = false;
  await pass(SILENT_SECONDS - 1);
  expect(calls).toHaveLength(1);
  await pass(1);
  expect(calls).toHaveLength(2);
});
