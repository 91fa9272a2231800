// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/react';
import { useRef, useState } from 'react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { focusFirst, INVALID_FIELD, useLeadToError } from './lead-to-error';

/** A form that is closed while it is saved, and whose save is refused before it is opened again. */
function Form() {
  const root = useRef<HTMLDivElement>(null);
  const leadToError = useLeadToError(root);
  const [isBusy, setBusy] = useState(true);
  return (
    <>
      <div inert={isBusy}>
        <div ref={root}>
          <input aria-label="right" />
          <input aria-label="wrong" aria-invalid />
        </div>
      </div>
      <button type="button" onClick={leadToError}>
        refuse
      </button>
      <button type="button" onClick={() => setBusy(!isBusy)}>
        end
      </button>
    </>
  );
}

/** A form whose field is drawn as wrong by another drawing than that of the refusal. */
function LateForm({ isWrong }: { isWrong: boolean }) {
  const root = useRef<HTMLDivElement>(null);
  const leadToError = useLeadToError(root);
  return (
    <div ref={root}>
      <input aria-label="field" aria-invalid={isWrong} />
      <button type="button" onClick={leadToError}>
        refuse
      </button>
    </div>
  );
}

it('leads to the field in error once the form can take the focus, and only then', () => {
  render(<Form />);
  fireEvent.click(screen.getByText('refuse'));
  expect(document.activeElement).toBe(document.body);
  fireEvent.click(screen.getByText('end'));
  expect(document.activeElement).toBe(screen.getByLabelText('wrong'));
  screen.getByLabelText('right').focus();
  fireEvent.click(screen.getByText('end'));
  expect(document.activeElement).toBe(screen.getByLabelText('right'));
});

it('leads to what is drawn as wrong just after the refusal, and to nothing that is wrong long after it', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(5_000);
  onTestFinished(() => now.mockRestore());
  const { rerender } = render(<LateForm isWrong={false} />);
  fireEvent.click(screen.getByText('refuse'));
  rerender(<LateForm isWrong />);
  expect(document.activeElement).toBe(screen.getByLabelText('field'));
  screen.getByLabelText('field').blur();
  rerender(<LateForm isWrong={false} />);
  now.mockReturnValue(6_000);
  fireEvent.click(screen.getByText('refuse'));
  now.mockReturnValue(8_000);
  rerender(<LateForm isWrong />);
  expect(document.activeElement).toBe(document.body);
});

it('leads within a group of choices, which takes no focus, to the chosen one', () => {
  const { container } = render(
    <div role="radiogroup" aria-label="which" aria-invalid>
      <label>
        <input type="radio" name="which" /> one
      </label>
      <label>
        <input type="radio" name="which" defaultChecked /> two
      </label>
    </div>,
  );
  focusFirst(container, [INVALID_FIELD]);
  expect(document.activeElement).toBe(screen.getByLabelText('two'));
});
