// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { renderWithWords } from '../testing/render-with-words';
import { DurationInput } from './duration-input';
import { Field } from './field';

const changed = vi.fn();
function Form({ start }: { start: string }) {
  const [value, setValue] = useState(start);
  return (
    <Field label="Length" error={value === 'h' ? 'Enter a number' : undefined}>
      <DurationInput
        value={value}
        onValueChange={(next) => {
          changed(next);
          setValue(next);
        }}
      />
    </Field>
  );
}
const number = () => screen.getByRole('spinbutton', { name: 'Length' }) as HTMLInputElement;

it('shows number and unit, and writes them as one text', async () => {
  const user = userEvent.setup({ delay: null });
  renderWithWords(<Form start="3h" />);
  expect(number().value).toBe('3');
  expect(screen.getByRole('combobox', { name: 'Unit of time' }).textContent).toContain('hours');
  await user.clear(number());
  await user.type(number(), '15');
  expect(changed).toHaveBeenLastCalledWith('15h');
  await user.click(screen.getByRole('combobox', { name: 'Unit of time' }));
  await user.click(await screen.findByRole('option', { name: 'minutes' }));
  expect(changed).toHaveBeenLastCalledWith('15m');
});

it('keeps the unit while the number is empty, and its error belongs to the number', async () => {
  const user = userEvent.setup({ delay: null });
  renderWithWords(<Form start="3h" />);
  await user.clear(number());
  expect(changed).toHaveBeenLastCalledWith('h');
  expect(number().getAttribute('aria-invalid')).toBe('true');
  const unit = screen.getByRole('combobox', { name: 'Unit of time' });
  expect(unit.getAttribute('aria-invalid')).toBeNull();
  expect(unit.id).not.toBe(number().id);
});

it('takes fractions, and gives whole numbers of a smaller unit', async () => {
  const user = userEvent.setup({ delay: null });
  renderWithWords(<Form start="3h" />);
  await user.clear(number());
  await user.type(number(), '1.5');
  expect(changed).toHaveBeenLastCalledWith('90m');
  await user.tab();
  expect(number().value).toBe('1.5');
  const unit = screen.getByRole('combobox', { name: 'Unit of time' });
  expect(unit.textContent).toContain('hours');
  await user.click(unit);
  await user.click(await screen.findByRole('option', { name: 'days' }));
  expect(changed).toHaveBeenLastCalledWith('36h');
  expect(number().value).toBe('1.5');
});

it('gives a number that can be told from none, however large or small it is', async () => {
  const user = userEvent.setup({ delay: null });
  renderWithWords(<Form start="3h" />);
  await user.clear(number());
  await user.type(number(), '123456789012');
  expect(changed).toHaveBeenLastCalledWith('99999999h');
  await user.clear(number());
  await user.type(number(), '-1');
  expect(changed).toHaveBeenLastCalledWith('0h');
});
