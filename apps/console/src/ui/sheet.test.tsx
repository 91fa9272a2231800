// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { renderWithWords } from '../testing/render-with-words';
import { Button } from './button';
import { CloseButton } from './closing';
import { PlaceContext } from './place';
import { Sheet } from './sheet';
import { hasUnsavedChanges } from './unsaved-changes';

function Form() {
  const [isOpen, setOpen] = useState(true);
  const [text, setText] = useState('');
  return (
    <Sheet open={isOpen} onOpenChange={setOpen} title="IP restriction" dirty={text !== ''}>
      <input aria-label="Address" value={text} onChange={(event) => setText(event.target.value)} />
    </Sheet>
  );
}
const sheet = () => screen.queryByRole('dialog', { name: 'IP restriction', hidden: true });
const question = () => screen.queryByRole('alertdialog');

test('notices keep off its footer, also where that only says something', () => {
  renderWithWords(
    <Sheet open onOpenChange={vi.fn()} title="IP restriction" footer={<p>Also deploys 2 changes</p>}>
      <p>Body</p>
    </Sheet>,
  );
  expect(screen.getByText('Also deploys 2 changes').closest('[data-keep-clear]')).toBeTruthy();
  expect(screen.getByText('Body').closest('[data-keep-clear]')).toBeNull();
});

test('Escape closes a sheet that nothing was typed into', async () => {
  renderWithWords(<Form />);
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(sheet()).toBeNull());
});

test('nothing typed is lost on Escape without a question', async () => {
  renderWithWords(<Form />);
  await userEvent.type(screen.getByLabelText('Address'), '203.0.113.7');
  expect(hasUnsavedChanges()).toBe(true);
  await userEvent.keyboard('{Escape}');
  expect(await screen.findByRole('alertdialog', { name: 'Discard your changes?' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Keep editing' }));
  await waitFor(() => expect(question()).toBeNull());
  expect(screen.getByLabelText<HTMLInputElement>('Address').value).toBe('203.0.113.7');
});

test('the cross asks too, and discarding closes', async () => {
  renderWithWords(<Form />);
  await userEvent.type(screen.getByLabelText('Address'), 'x');
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Discard changes' }));
  await waitFor(() => expect(sheet()).toBeNull());
  expect(hasUnsavedChanges()).toBe(false);
});

test('the first field has the focus', async () => {
  renderWithWords(<Form />);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Address')));
});

function Saving() {
  const [isOpen, setOpen] = useState(true);
  const [busy, setBusy] = useState(false);
  return (
    <Sheet
      open={isOpen}
      onOpenChange={setOpen}
      title="IP restriction"
      dirty
      busy={busy}
      footer={
        <>
          <CloseButton>Cancel</CloseButton>
          <Button loading={busy} onClick={() => setBusy(true)}>
            Save
          </Button>
        </>
      }
    >
      <input aria-label="Address" onKeyDown={(event) => event.key === 'Enter' && setBusy(true)} />
      <button type="button" data-testid="answer" onClick={() => setBusy(false)} />
    </Sheet>
  );
}

test('while it saves, nothing closes it, asks, or can be changed', async () => {
  renderWithWords(<Saving />);
  const field = screen.getByLabelText('Address');
  await waitFor(() => expect(document.activeElement).toBe(field));
  await userEvent.keyboard('{Enter}');
  expect(field.closest('[inert]')).not.toBeNull();
  expect(document.activeElement).toBe(sheet());
  expect((screen.getByRole('button', { name: 'Close' }) as HTMLButtonElement).disabled).toBe(true);
  expect((screen.getByRole('button', { name: 'Cancel' }) as HTMLButtonElement).disabled).toBe(true);
  await userEvent.keyboard('{Escape}');
  expect(question()).toBeNull();
  expect(sheet()).not.toBeNull();
  screen.getByTestId('answer').click();
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(field.closest('[inert]')).toBeNull();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(question()).not.toBeNull());
});

test('the button that saves keeps the focus', async () => {
  renderWithWords(<Saving />);
  const save = screen.getByRole('button', { name: 'Save' });
  await userEvent.click(save);
  expect(document.activeElement).toBe(save);
});

test('Cancel asks as Escape does', async () => {
  renderWithWords(<Saving />);
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(question()).not.toBeNull());
});

test.each([false, true])('with another place below it closes, unless it is busy (%s)', async (busy) => {
  const onOpenChange = vi.fn();
  const over = (place: string) => (
    <PlaceContext value={place}>
      <Sheet open onOpenChange={onOpenChange} title="IP restriction" busy={busy} />
    </PlaceContext>
  );
  const view = renderWithWords(over('access'));
  view.rerender(over('access'));
  expect(onOpenChange).not.toHaveBeenCalled();
  view.rerender(over('headers'));
  expect(onOpenChange.mock.calls).toEqual(busy ? [] : [[false]]);
});

test('a save that nothing has answered for long no longer holds the sheet, which closes without a question', async () => {
  renderWithWords(<Saving />);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await act(() => vi.advanceTimersByTimeAsync(9_000));
    expect(screen.getByRole('button', { name: 'Cancel' }).hasAttribute('disabled')).toBe(true);
    await act(() => vi.advanceTimersByTimeAsync(1_500));
    expect(screen.getByRole('status').textContent).toContain('No answer yet');
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await act(() => vi.advanceTimersByTimeAsync(500));
    expect(sheet()).toBeNull();
    expect(question()).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});
