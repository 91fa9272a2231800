import { afterEach, expect, it, vi } from 'vitest';
import { ClearReceipts } from './clear-receipts.ts';
import { ControlError } from './control-client.ts';
import { log } from './log.ts';

afterEach(() => {
  vi.restoreAllMocks();
});
const idsOf = (body: string) =>
  (JSON.parse(body) as { receipts: { clear_id: string }[] }).receipts.map(({ clear_id }) => clear_id);

it('owes a receipt until the control plane has it, those of an earlier agent too', async () => {
  vi.spyOn(log, 'warn').mockImplementation(() => {});
  const owed = new Map([['earlier', 5]]);
  const sent: string[][] = [];
  const told: string[][] = [];
  const receipts = new ClearReceipts(owed, async (body) => {
    sent.push(idsOf(body));
    if (sent.length === 1) throw new Error('the control plane is away');
  });
  receipts.onTold = (ids) => told.push([...ids]);
  receipts.report([{ id: 'new', milliseconds: 3 }]);
  await vi.waitFor(() => expect(sent.length).toBe(1));
  expect([[...owed.keys()], told]).toEqual([['earlier', 'new'], []]);
  await vi.waitFor(() => expect(receipts.waiting).toBe(0));
  expect(sent).toEqual([
    ['earlier', 'new'],
    ['earlier', 'new'],
  ]);
  expect(told).toEqual([['earlier', 'new']]);
});

it('does not ask again about what the control plane refuses', async () => {
  const error = vi.spyOn(log, 'error').mockImplementation(() => {});
  const send = vi.fn(async () => {
    throw new ControlError(422, 'clear_id: INVALID');
  });
  const receipts = new ClearReceipts(new Map(), send);
  receipts.report([{ id: 'a', milliseconds: 1 }]);
  await vi.waitFor(() => expect(receipts.waiting).toBe(0));
  expect(send).toHaveBeenCalledTimes(1);
  expect(error).toHaveBeenCalledTimes(1);
});
