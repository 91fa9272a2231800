// @vitest-environment happy-dom
import { act, fireEvent, render, renderHook, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { IntlProvider } from 'use-intl';
import { expect, it, vi } from 'vitest';
import { messagesOf } from '../testing/catalogs';
import { ConfirmDialog } from './confirm-dialog';
import { notify, useWaitingNotices } from './notices';
import { tellHere } from './telling-here';

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
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Ask
      </button>
      <ConfirmDialog open={isOpen} onOpenChange={setOpen} title="Sure?" confirmLabel="Yes" onConfirm={onConfirm} />
    </>
  );
}

const renderQuestion = (question: ReactNode) =>
  render(
    <IntlProvider locale="en" timeZone="UTC" messages={messagesOf('en')}>
      {question}
    </IntlProvider>,
  );

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

it('says that there is no network for as long as there is none', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const onConfirm = async () => {
    tellHere()?.({ title: 'Please check your network.' });
    throw new Error();
  };
  renderQuestion(<Question onConfirm={onConfirm} />);
  await userEvent.setup().click(screen.getByRole('button', { name: 'Yes' }));
  await screen.findByText('Please check your network.');
  act(() => void window.dispatchEvent(new Event('online')));
  expect(screen.queryByText('Please check your network.')).toBeNull();
  vi.restoreAllMocks();
});

it('says why it was not done in itself, not in a notice, until it is tried again', async () => {
  let isFailing = true;
  // As the cache of writes does with one that began meanwhile.
  const onConfirm = async () => {
    const here = tellHere();
    await Promise.resolve();
    if (!isFailing) return;
    here?.({ title: 'Not done.', description: 'Please check your network.' });
    throw new Error();
  };
  renderQuestion(<Question onConfirm={onConfirm} />);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Yes' }));
  const dialog = screen.getByRole('alertdialog');
  expect((await within(dialog).findByRole('alert')).textContent).toBe('Not done.Please check your network.');
  isFailing = false;
  await user.click(screen.getByRole('button', { name: 'Yes' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(tellHere()).toBeUndefined();
});

it('leaves what else fails meanwhile to notices', async () => {
  const { result } = renderHook(useWaitingNotices);
  renderQuestion(<Question onConfirm={() => new Promise(() => {})} />);
  fireEvent.click(screen.getByRole('button', { name: 'Yes' }));
  act(() => void notify({ id: 'other', tone: 'error', title: 'Something else failed.' }));
  expect(result.current.some(({ id }) => id === 'other')).toBe(true);
  expect(within(screen.getByRole('alertdialog')).queryByRole('alert')).toBeNull();
});

it('can be closed once nothing has answered for long; the next question knows nothing of it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const answers: (() => void)[] = [];
    const failures: ReturnType<typeof tellHere>[] = [];
    const onConfirm = () => {
      failures.push(tellHere());
      return new Promise<void>((resolve) => answers.push(resolve));
    };
    renderQuestion(<Question onConfirm={onConfirm} />);
    const yes = () => screen.getByRole('button', { name: 'Yes' });
    const isBusy = () => yes().getAttribute('aria-busy') === 'true' || yes().hasAttribute('disabled');
    fireEvent.click(yes());
    expect(isBusy()).toBe(true);
    await act(() => vi.advanceTimersByTimeAsync(9_000));
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByText(/^No answer yet/)).toBeNull();
    expect(screen.getByRole('alertdialog')).toBeTruthy();
    await act(() => vi.advanceTimersByTimeAsync(1_500));
    expect(screen.getByText(/^No answer yet/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await act(() => vi.advanceTimersByTimeAsync(500));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(failures[0]?.({ title: 'Late.' })).toBe(false);
    fireEvent.click(screen.getByRole('button', { name: 'Ask' }));
    expect(isBusy()).toBe(false);
    fireEvent.click(yes());
    await act(async () => answers[0]?.());
    await act(() => vi.advanceTimersByTimeAsync(500));
    expect(screen.getByRole('alertdialog')).toBeTruthy();
    expect(isBusy()).toBe(true);
    await act(async () => answers[1]?.());
    await act(() => vi.advanceTimersByTimeAsync(500));
    expect(screen.queryByRole('alertdialog')).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

it('takes away what was said of the screen, which would stand over the question, and nothing else', async () => {
  const { result } = renderHook(useWaitingNotices);
  render(
    <IntlProvider locale="en" timeZone="UTC" messages={messagesOf('en')}>
      <Row />
    </IntlProvider>,
  );
  act(() => {
    notify({ title: '1 pending change discarded', isOf: 'screen' });
    notify({ title: 'Deploy successful' });
  });
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
  const told = () => result.current.map(({ title }) => title);
  await waitFor(() => expect(told()).not.toContain('1 pending change discarded'));
  expect(told()).toContain('Deploy successful');
});
