import { expect, test } from 'vitest';
import { createBoundedLimit, forEachConcurrently } from './concurrency-limit.ts';

function createGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

test('work beyond the limit waits, and beyond the queue it is refused at once', async () => {
  const limited = createBoundedLimit({ concurrency: 2, waitingMax: 1, refusal: () => new Error('full') });
  const gate = createGate();
  let running = 0;
  const work = async () => {
    running += 1;
    await gate.opened;
    return running;
  };
  const accepted = [limited(work), limited(work), limited(work)];
  await expect(limited(work)).rejects.toThrow('full');
  expect(running).toBe(2);
  gate.open();
  expect(await Promise.all(accepted)).toEqual([2, 2, 3]);
  expect(await limited(work)).toBe(4);
});

test('items are worked on in their order, so many at a time', async () => {
  const begun: number[] = [];
  let running = 0;
  let runningMax = 0;
  await forEachConcurrently([5, 6, 7, 8, 9], 2, async (item) => {
    begun.push(item);
    running += 1;
    runningMax = Math.max(runningMax, running);
    await new Promise(setImmediate);
    running -= 1;
  });
  expect(begun).toEqual([5, 6, 7, 8, 9]);
  expect(runningMax).toBe(2);
});

test('no more items are begun once one has thrown', async () => {
  const begun: number[] = [];
  const gate = createGate();
  const done = forEachConcurrently([1, 2, 3, 4, 5], 2, async (item) => {
    begun.push(item);
    if (item === 2) throw new Error('broken');
    await gate.opened;
  });
  await expect(done).rejects.toThrow('broken');
  const begunBefore = begun.length;
  gate.open();
  await new Promise(setImmediate);
  expect(begun).toHaveLength(begunBefore);
  expect(begun).not.toContain(5);
});
