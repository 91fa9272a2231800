// @vitest-environment happy-dom
import { act, fireEvent, render, renderHook, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { IntlProvider } from 'use-intl';
import { expect, it, vi } from 'vitest';
import { messagesOf } from '../testing/catalogs';
import { ConfirmDialog } from './confirm-dialog';
import { notify, useWaitingNotices } from './notices';

function Row() {
  const [isOpen, setOpen] = useState(false);
  const [isGone, setGone] = useState(false);
  return (
    <main>
      <h1 tabIndex={-1}>Aliases</h1>
      {!isGone && (
        <button type="button" onClick={() => setOpen(true)}>
          Remove
        </button>
      )}
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Remove?"
        confirmLabel="Yes"
        onConfirm={() => setGone(true)}
      />
    </main>
  );
}

function Question({ onConfirm }: { onConfirm: () => Promise<void> }) {
  const [isOpen, setOpen] = useState(true);
  return <ConfirmDialog open={isOpen} onOpenChange={setOpen} title="Sure?" confirmLabel="Yes" onConfirm={onConfirm} />;
}

it('leads the focus to the heading where what it was about is gone', async () => {
  render(
    <IntlProvider locale="en" timeZone="UTC" messages={messagesOf('en')}>
      <Row />
    </IntlProvider>,
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Remove' }));
  await user.click(await screen.findByRole('button', { name: 'Yes' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
});

it('says why it was not done in itself, not in a notice, until it is tried again', async () => {
  let isFailing = true;
  const onConfirm = async () => {
    if (!isFailing) return;
    notify({ tone: 'error', title: 'Please check your network.' });
    throw new Error();
  };
  const { result } = renderHook(useWaitingNotices);
  render(
    <IntlProvider locale="en" timeZone="UTC" messages={messagesOf('en')}>
      <Question onConfirm={onConfirm} />
    </IntlProvider>,
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Yes' }));
  const dialog = screen.getByRole('alertdialog');
  expect((await within(dialog).findByRole('alert')).textContent).toContain('Please check your network.');
  expect(result.current).toEqual([]);
  isFailing = false;
  await user.click(screen.getByRole('button', { name: 'Yes' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  act(() => void notify({ tone: 'error', title: 'Something else failed.' }));
  expect(result.current).toHaveLength(1);
});

it('can be closed once nothing has answered for long, and what fails after that is said by a notice', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    let fail = () => {};
    const onConfirm = () =>
      new Promise<void>((_, reject) => {
        fail = () => {
          notify({ id: 'late', tone: 'error', title: 'Nothing answered.' });
          reject(new Error());
        };
      });
    const { result } = renderHook(useWaitingNotices);
    render(
      <IntlProvider locale="en" timeZone="UTC" messages={messagesOf('en')}>
        <Question onConfirm={onConfirm} />
      </IntlProvider>,
    );
    fireEvent.click(screen.getByRole('button', { name: 'Yes' }));
    await act(() => vi.advanceTimersByTimeAsync(9_000));
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByText(/^No answer yet/)).toBeNull();
    expect(screen.getByRole('alertdialog')).toBeTruthy();
    await act(() => vi.advanceTimersByTimeAsync(1_500));
    expect(screen.getByText(/^No answer yet/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await act(() => vi.advanceTimersByTimeAsync(500));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    await act(async () => fail());
    expect(result.current.some(({ id }) => id === 'late')).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});
