// @vitest-environment happy-dom
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderWithWords } from '../testing/render-with-words';
import { Sheet } from '../ui/sheet';
import { useUnsavedChanges } from '../ui/unsaved-changes';
import LeaveDialog from './leave-dialog';
import { askToLeave, useLeaveQuestion } from './leave-question';

function Page() {
  const [text, setText] = useState('');
  const answer = useLeaveQuestion();
  useUnsavedChanges(text !== '');
  return (
    <>
      <input aria-label="first" value={text} onChange={(event) => setText(event.target.value)} />
      <input aria-label="second" />
      <button type="button" onClick={() => void askToLeave()}>
        away
      </button>
      <LeaveDialog open={answer !== undefined} onOpenChange={(open) => !open && answer?.(false)} />
    </>
  );
}

it.each([
  ['Keep editing', 'second'],
  ['Discard changes', 'away'],
])('leads the focus after "%s" to "%s"', async (answer, focused) => {
  renderWithWords(<Page />);
  const user = userEvent.setup({ delay: null });
  await user.type(screen.getByLabelText('first'), 'x');
  await user.type(screen.getByLabelText('second'), 'y');
  await user.click(screen.getByRole('button', { name: 'away' }));
  await user.click(await screen.findByRole('button', { name: answer }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.queryByLabelText(focused) ?? screen.getByText(focused)),
  );
});

it('takes the place of what a sheet asks about discarding', async () => {
  renderWithWords(
    <>
      <Page />
      <Sheet open onOpenChange={() => undefined} title="IP restriction" dirty>
        <input aria-label="Address" />
      </Sheet>
    </>,
  );
  const user = userEvent.setup({ delay: null });
  const questions = () => screen.queryAllByRole('alertdialog', { hidden: true });
  await screen.findByLabelText('Address');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(questions()).toHaveLength(1));
  const [first] = questions();
  act(() => void askToLeave());
  await waitFor(() => expect(first?.isConnected).toBe(false));
  expect(questions()).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Keep editing' }));
  await waitFor(() => expect(questions()).toEqual([]));
  expect(screen.getByLabelText('Address')).toBeTruthy();
});
