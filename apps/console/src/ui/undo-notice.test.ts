import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { connectNotices } from './notices';
import { notifyUndo, settleUndo } from './undo-notice';

const outlet = { show: vi.fn(), close: vi.fn() };
let disconnect: () => void;
beforeEach(() => {
  disconnect = connectNotices(outlet);
});
afterEach(() => {
  disconnect();
  vi.resetAllMocks();
});

it('goes once all that its Undo would take back is settled otherwise, no sooner', () => {
  notifyUndo({ id: 'two', title: 'Two' }, ['a', 'b']);
  notifyUndo({ id: 'one', title: 'One' }, ['c']);
  settleUndo(() => ['a', 'other']);
  expect(outlet.close).not.toHaveBeenCalled();
  settleUndo(() => ['b']);
  expect(outlet.close.mock.calls).toEqual([['two']]);
  settleUndo(() => ['a', 'b', 'c']);
  expect(outlet.close.mock.calls).toEqual([['two'], ['one']]);
});

it('replaced by one of the same id, it speaks of what that one does', () => {
  notifyUndo({ id: 'same', title: 'One' }, ['a']);
  notifyUndo({ id: 'same', title: 'Both' }, ['a', 'b']);
  settleUndo(() => ['a']);
  expect(outlet.close).not.toHaveBeenCalled();
  settleUndo(() => ['b']);
  expect(outlet.close).toHaveBeenCalledExactlyOnceWith('same');
});

it('is one notice where several presses of a write have done the same', () => {
  for (const cause of ['a', 'a', 'b']) notifyUndo({ title: 'Lifted' }, [cause]);
  expect(new Set(outlet.show.mock.calls.map(([{ id }]) => id)).size).toBe(2);
  settleUndo(() => ['a', 'b']);
  expect(outlet.close).toHaveBeenCalledTimes(2);
});

it('asks for nothing while no notice stands', () => {
  const onClose = vi.fn();
  notifyUndo({ id: 'gone', title: 'Gone', onClose }, ['a']);
  outlet.show.mock.calls[0]?.[0].onClose();
  expect(onClose).toHaveBeenCalledOnce();
  const causes = vi.fn(() => ['a']);
  settleUndo(causes);
  expect(causes).not.toHaveBeenCalled();
});
