// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { renderWithWords } from '../testing/render-with-words';
import { ConfirmDialog } from './confirm-dialog';
import { Dialog } from './dialog';
import { leadTabRound } from './tab-round';

beforeEach(() => {
  HTMLElement.prototype.checkVisibility ??= () => true;
  // What waits for a frame comes too late.
  vi.spyOn(window, 'requestAnimationFrame').mockReturnValue(0);
});

const isOn = (target: Element) => expect(document.activeElement).toBe(target);

it('goes round in a question over a dialog, forwards and backwards, without a frame', async () => {
  renderWithWords(
    <>
      <Dialog open onOpenChange={() => {}} title="Add domain">
        <input aria-label="Name" />
      </Dialog>
      <ConfirmDialog open onOpenChange={() => {}} title="Discard?" confirmLabel="Discard" onConfirm={() => {}} />
    </>,
  );
  const user = userEvent.setup({ delay: null });
  const [first, last] = [screen.getByText('Cancel'), screen.getByText('Discard')];
  first.focus();
  for (const target of [last, first, last, first]) {
    await user.tab();
    isOn(target);
  }
  for (const target of [last, first, last]) {
    await user.tab({ shift: true });
    isOn(target);
  }
});

it('stops at what is open, shown and chosen, and goes back from the box itself to the last', async () => {
  renderWithWords(
    <div data-testid="box" tabIndex={-1} role="toolbar" onKeyDown={leadTabRound}>
      <button type="button" disabled>
        closed
      </button>
      <div inert>
        <button type="button">inert</button>
      </div>
      <a href="#first">first</a>
      <input type="radio" name="one" aria-label="chosen" defaultChecked />
      <input type="radio" name="one" aria-label="other" />
      <button type="button" tabIndex={-1}>
        never
      </button>
    </div>,
  );
  const user = userEvent.setup({ delay: null });
  screen.getByTestId('box').focus();
  await user.tab({ shift: true });
  isOn(screen.getByLabelText('chosen'));
  await user.tab();
  isOn(screen.getByText('first'));
});

it('stays where nothing can be stopped at', async () => {
  renderWithWords(
    <>
      <div data-testid="box" tabIndex={-1} role="toolbar" onKeyDown={leadTabRound} />
      <button type="button">outside</button>
    </>,
  );
  screen.getByTestId('box').focus();
  await userEvent.setup({ delay: null }).tab();
  isOn(screen.getByTestId('box'));
});
