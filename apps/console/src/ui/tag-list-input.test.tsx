// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { renderWithWords } from '../testing/render-with-words';
import { Dialog } from './dialog';
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
function Form() {
  const [isOpen, setOpen] = useState(true);
  const [value, setValue] = useState<string[]>([]);
  return (
    <Dialog open={isOpen} onOpenChange={setOpen} title="Addresses" dirty={value.length > 0}>
      <TagListInput label="Addresses" value={value} onValueChange={setValue} />
    </Dialog>
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

test('what is typed is kept when the focus leaves', async () => {
  renderWithWords(<Addresses />);
  await userEvent.type(screen.getByRole('textbox', { name: 'Addresses' }), '203.0.113.2');
  await userEvent.tab();
  expect(kept()).toBe('203.0.113.1 203.0.113.2');
});

test('Escape keeps what is typed, and only the next one is for the dialog, which asks', async () => {
  renderWithWords(<Form />);
  await userEvent.type(await screen.findByRole('textbox', { name: 'Addresses' }), '203.0.113.2{Escape}');
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(screen.getByRole('button', { name: 'Remove 203.0.113.2' })).toBeTruthy();
  await userEvent.keyboard('{Escape}');
  expect(await screen.findByRole('alertdialog', { name: 'Discard your changes?' })).toBeTruthy();
});

test('Escape in an empty field is for the dialog', async () => {
  const onOpenChange = vi.fn();
  renderWithWords(
    <Dialog open onOpenChange={onOpenChange} title="Addresses">
      <TagListInput label="Addresses" value={[]} onValueChange={() => {}} />
    </Dialog>,
  );
  await userEvent.click(await screen.findByRole('textbox', { name: 'Addresses' }));
  await userEvent.keyboard('{Escape}');
  expect(onOpenChange).toHaveBeenCalledWith(false);
});
