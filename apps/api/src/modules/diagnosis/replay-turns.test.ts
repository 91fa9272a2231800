import { expect, it } from 'vitest';
import { takeInTurns } from './replay-turns.ts';

/** Numbers, some at a time; notes when it is left. */
function source(batches: number) {
  const state = { given: 0, isLeft: false };
  async function* read() {
    try {
      for (; state.given < batches; state.given++) yield [state.given * 2, state.given * 2 + 1];
    } finally {
      state.isLeft = true;
    }
  }
  return { state, coming: read() };
}
const workFor = (milliseconds: number) => {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
};

it('takes all, in their order', async () => {
  const taken: number[] = [];
  const { coming } = source(3);
  expect(await takeInTurns((one: number) => taken.push(one), coming, new AbortController().signal)).toBe(true);
  expect(taken).toEqual([0, 1, 2, 3, 4, 5]);
});

it('lets others have their turn, and ends once all its time is used', async () => {
  const { coming, state } = source(1_000);
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  let taken = 0;
  const take = () => {
    taken += 1;
    workFor(20);
  };
  expect(await takeInTurns(take, coming, new AbortController().signal)).toBe(false);
  isOver = true;
  // Each takes longer than a turn may; how many there are in the time is for the machine to say.
  expect(taken).toBeGreaterThan(1);
  expect(turns).toBeGreaterThanOrEqual(taken);
  expect(state.isLeft).toBe(true);
  expect(state.given).toBeLessThanOrEqual(51);
});

it('begins none in a turn that it would make too long', async () => {
  const { coming } = source(4);
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const turns = new Set<number>();
  const take = () => {
    turns.add(turn);
    workFor(10);
  };
  expect(await takeInTurns(take, coming, new AbortController().signal)).toBe(true);
  isOver = true;
  expect(turns.size).toBe(8);
});

it('ends when who asked has gone, and reads no further', async () => {
  const left = new AbortController();
  const { coming, state } = source(1_000);
  const take = (one: number) => {
    if (one === 5) left.abort();
  };
  expect(await takeInTurns(take, coming, left.signal)).toBe(false);
  expect(state.isLeft).toBe(true);
  expect(state.given).toBeLessThan(5);
});
