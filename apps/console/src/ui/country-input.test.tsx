// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { renderWithWords } from '../testing/render-with-words';
import CountryInput from './country-input';
import { Field } from './field';

const changed = vi.fn();
function Countries() {
  const [value, setValue] = useState(['DE']);
  return (
    <Field label="Countries">
      <CountryInput
        value={value}
        onValueChange={(next) => {
          changed(next);
          setValue(next);
        }}
      />
    </Field>
  );
}

it('adds the country that was typed for, by name or code, and removes one', async () => {
  const user = userEvent.setup({ delay: null });
  renderWithWords(<Countries />);
  expect(screen.getByText('Germany')).toBeTruthy();
  const input = screen.getByRole('combobox', { name: 'Countries' });
  await user.type(input, 'norw');
  await user.click(await screen.findByRole('option', { name: /Norway/ }));
  expect(changed).toHaveBeenLastCalledWith(['DE', 'NO']);
  await user.type(input, ' KP');
  await user.click(await screen.findByRole('option', { name: /North Korea/ }));
  expect(changed).toHaveBeenLastCalledWith(['DE', 'NO', 'KP']);
  await user.click(screen.getByRole('button', { name: 'Remove Germany' }));
  expect(changed).toHaveBeenLastCalledWith(['NO', 'KP']);
});
