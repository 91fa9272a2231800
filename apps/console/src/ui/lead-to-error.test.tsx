// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/react';
import { useRef, useState } from 'react';
import { expect, it } from 'vitest';
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
