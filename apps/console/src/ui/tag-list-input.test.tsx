// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { renderWithWords } from '../testing/render-with-words';
import { TagListInput } from './tag-list-input';

function Addresses() {
  const [value, setValue] = useState(['203.0.113.1']);
  return (
    <>
      <TagListInput
        label="Addresses"
        value={value}
        onValueChange={setValue}
        errorOf={(entry) => (entry === 'x' ? 'Enter an IP address' : undefined)}
      />
      <output>{value.join(' ')}</output>
    </>
  );
}
const kept = () => screen.getByRole('status').textContent;

test('many are pasted at once, whatever parts them, and duplicates are left out', async () => {
  renderWithWords(<Addresses />);
  await userEvent.click(screen.getByRole('textbox', { name: 'Addresses' }));
  await userEvent.paste('203.0.113.1, 203.0.113.2\n2001:db8::/32；203.0.113.2');
  expect(kept()).toBe('203.0.113.1 203.0.113.2 2001:db8::/32');
});

test('a wrong entry stays, with its reason', async () => {
  renderWithWords(<Addresses />);
  await userEvent.type(screen.getByRole('textbox', { name: 'Addresses' }), 'x{Enter}');
  expect(screen.getByText(/Enter an IP address/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Remove x' }));
  expect(kept()).toBe('203.0.113.1');
});

test('Backspace takes the last entry back into the field to be mended', async () => {
  renderWithWords(<Addresses />);
  await userEvent.type(screen.getByRole('textbox', { name: 'Addresses' }), '{Backspace}2{Enter}');
  expect(kept()).toBe('203.0.113.12');
});
