// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderWithWords } from '../testing/render-with-words';
import NoticeList from './notice-list';
import { dismissNotice, dismissScreenNotices, type Notice, notify } from './notices';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function show(...notices: Notice[]) {
  renderWithWords(<NoticeList />);
  act(() => {
    for (const notice of notices) notify(notice);
  });
}
const after = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const shown = (text: string) => screen.queryAllByText(text).length > 0;

test('a notice goes after 3 s, an error after 6 s, and another time when told', async () => {
  show(
    { title: 'Saved', tone: 'success' },
    { title: 'Refused', tone: 'error' },
    { title: 'Slow', tone: 'error', durationMs: 15_000 },
  );
  await after(2900);
  expect([shown('Saved'), shown('Refused'), shown('Slow')]).toEqual([true, true, true]);
  await after(600);
  expect([shown('Saved'), shown('Refused')]).toEqual([false, true]);
  await after(3000);
  expect([shown('Refused'), shown('Slow')]).toEqual([false, true]);
  await after(9000);
  expect(shown('Slow')).toBe(false);
});

test('a notice can be dismissed', async () => {
  show({ title: 'Stay', durationMs: 0 });
  await after(60_000);
  expect(shown('Stay')).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  await after(1000);
  expect(shown('Stay')).toBe(false);
});

test('the request to name to support can be copied', () => {
  show({ title: 'Something went wrong on our side.', tone: 'error', requestId: 'r-7' });
  const copy = screen.getByRole('button', { name: 'Copy request ID' });
  expect(copy.dataset.copy).toBe('r-7');
  expect(shown('r-7')).toBe(true);
});

test('its action is done once and takes the notice away, without the end of one that was dismissed', async () => {
  const onPress = vi.fn();
  const onClose = vi.fn();
  show({ title: 'Removed', durationMs: 0, action: { label: 'Undo', onPress }, onClose });
  const undo = screen.getByRole('button', { name: 'Undo' });
  fireEvent.click(undo);
  fireEvent.click(undo);
  expect(onPress).toHaveBeenCalledOnce();
  await after(1000);
  expect(shown('Removed')).toBe(false);
  expect(onClose).not.toHaveBeenCalled();
});

test('what was said of a screen goes with it, the rest stays', async () => {
  show(
    { title: 'Ban lifted', durationMs: 0, isOf: 'screen' },
    { title: 'Turned on in the draft', durationMs: 0, isOf: 'tab' },
    { title: 'Deploy successful', durationMs: 0 },
  );
  const all = () => ['Ban lifted', 'Turned on in the draft', 'Deploy successful'].map(shown);
  act(() => dismissScreenNotices(true));
  await after(1000);
  expect(all()).toEqual([true, false, true]);
  act(() => dismissScreenNotices());
  await after(1000);
  expect(all()).toEqual([false, false, true]);
});

test('hovering holds the time', async () => {
  show({ title: 'Read me' });
  const region = screen.getByRole('region', { name: 'Notices' });
  fireEvent.mouseEnter(region);
  await after(30_000);
  expect(shown('Read me')).toBe(true);
  fireEvent.mouseLeave(region);
  await after(4000);
  expect(shown('Read me')).toBe(false);
});

test('the same id replaces instead of stacking', async () => {
  show({ id: 'x', title: 'First' }, { id: 'x', title: 'Second' });
  expect(shown('First')).toBe(false);
  expect(screen.getAllByRole('button', { name: 'Dismiss' })).toHaveLength(1);
});

test('an error is announced urgently', () => {
  show({ title: 'Refused', tone: 'error' });
  expect(document.querySelector('[aria-live=assertive], [role=alert], [role=alertdialog]')).not.toBeNull();
});

test('what was said before the list had arrived is shown once it has', () => {
  notify({ id: 'early', title: 'Said early' });
  notify({ id: 'early', title: 'Said early, again' });
  notify({ id: 'gone', title: 'Not true any more' });
  dismissNotice('gone');
  show();
  expect([shown('Said early, again'), shown('Said early'), shown('Not true any more')]).toEqual([true, false, false]);
});

test('stands at its edge before the first notice, and is moved to its place without a shift', () => {
  show();
  const list = document.querySelector<HTMLElement>('[data-notices]');
  const edges = () => [list?.style.left, list?.style.top, list?.style.bottom];
  const waiting = edges();
  expect(waiting).toEqual(['0px', 'auto', '0px']);
  act(() => notify({ title: 'Saved', tone: 'success' }));
  expect(list?.style.translate).toMatch(/px .*px$/);
  expect(edges()).toEqual(waiting);
});

test.each([
  [['Saved', 'Discarded', 'Added'], 'Added'],
  [['Saved', '! Refused', 'Added'], '! Refused'],
  [['! Refused', '! Failed', 'Added'], '! Failed'],
])('the oldest of %s go where there is no room for all, what failed last', async (titles, stays) => {
  const all = { left: 0, top: 0, right: 1024, bottom: 768, width: 1024, height: 768, x: 0, y: 0, toJSON: () => ({}) };
  const control = document.createElement('button');
  control.getBoundingClientRect = () => all;
  document.body.append(control);
  document.elementFromPoint = () => control;
  show(
    ...titles.map((title) => ({
      title,
      durationMs: 0,
      tone: title.startsWith('!') ? ('error' as const) : ('success' as const),
    })),
  );
  await after(1000);
  expect(titles.filter(shown)).toEqual([stays]);
  control.remove();
});

test('the same words from several presses of a write are one notice, meant anew they are another', async () => {
  const undo = () => ({ title: 'Removed', action: { label: 'Undo', onPress: vi.fn() } });
  show({ title: 'Saved' }, { title: 'Saved' }, { title: 'Saved' }, { title: 'Saved', tone: 'error' }, undo(), undo());
  // Each Undo takes back something else.
  expect(screen.getAllByRole('button', { name: 'Dismiss' })).toHaveLength(4);
  await after(1500);
  act(() => void notify({ title: 'Removed' }));
  await after(1000);
  act(() => void notify({ title: 'Removed' }));
  expect(screen.getAllByRole('button', { name: 'Dismiss' })).toHaveLength(6);
});
