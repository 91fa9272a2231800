import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createPace, inTurn } from './turns.ts';

it('does one piece in a turn of the event loop, in order, and gives what it threw', async () => {
  const done: string[] = [];
  const pieces = ['a', 'b', 'c'].map((name) => inTurn(() => void done.push(name)));
  const turns: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    await nextTurn();
    turns.push(done.length);
  }
  await Promise.all(pieces);
  expect(done).toEqual(['a', 'b', 'c']);
  expect(turns).toEqual([1, 2, 3]);
  const failed = inTurn(() => {
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  expect(await inTurn(() => 7)).toBe(7);
});

it('lets others have their turn between small pieces once they took long enough, and only then', async () => {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const pace = createPace();
  const quick = Promise.all([pace(), pace()]);
  await quick;
  expect(turns).toBe(0);
  for (let piece = 0; piece < 10; piece++) {
    await pace();
    const end = performance.now() + 11;
    while (performance.now() < end);
  }
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(9);
});
