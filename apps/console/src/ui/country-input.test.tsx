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

it('takes the first of what is found with Enter', async () => {
  const user = userEvent.setup({ delay: null });
  renderWithWords(<Countries />);
  await user.type(screen.getByRole('combobox', { name: 'Countries' }), 'usa{Enter}');
  expect(changed).toHaveBeenLastCalledWith(['DE', 'US']);
});

it('takes with Enter what is highlighted, the most common of those that begin alike', async () => {
  const user = userEvent.setup({ delay: null });
  renderWithWords(<Countries />);
  await user.type(screen.getByRole('combobox', { name: 'Countries' }), 'chi');
  const highlighted = (await screen.findAllByRole('option')).filter((one) => one.hasAttribute('data-highlighted'));
  expect(highlighted.map(({ textContent }) => textContent)).toEqual(['ChinaCN']);
  await user.keyboard('{Enter}');
  expect(changed).toHaveBeenLastCalledWith(['DE', 'CN']);
});

it('takes a pasted list of names and codes, and leaves what is none to be corrected', async () => {
  const user = userEvent.setup({ delay: null });
  renderWithWords(<Countries />);
  const input = screen.getByRole('combobox', { name: 'Countries' }) as HTMLInputElement;
  await user.click(input);
  await user.paste('germany, France，日本; uk, Atlantis');
  expect(changed).toHaveBeenLastCalledWith(['DE', 'FR', 'JP', 'GB']);
  expect(input.value).toBe('atlantis');
});

it('says so where no country is found', async () => {
  const user = userEvent.setup({ delay: null });
  renderWithWords(<Countries />);
  await user.type(screen.getByRole('combobox', { name: 'Countries' }), 'xyzzy');
  expect(await screen.findByText('No country matches')).toBeTruthy();
});

it('keeps its countries when Escape is pressed', async () => {
  const user = userEvent.setup({ delay: null });
  renderWithWords(<Countries />);
  await user.type(screen.getByRole('combobox', { name: 'Countries' }), '{Escape}{Escape}');
  expect(screen.getByText('Germany')).toBeTruthy();
  // It answers keys at all.
  await user.keyboard('usa{Enter}');
  expect(changed).toHaveBeenLastCalledWith(['DE', 'US']);
});
