// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { renderDomains } from '../testing/render-domains';
import SecretInput from './secret-input';

vi.mock('../../app/api-client', () => ({ api: {}, queryClient: {} }));

const HANDLE = 'secret_aaaaaaaaaaaaaaaaaaaaaa';
let current: string | undefined;

function Form({ start }: { start: string | undefined }) {
  const [value, setValue] = useState(start);
  current = value;
  return <SecretInput label="Secret" value={value} onChange={setValue} />;
}

async function open(start: string | undefined) {
  await renderDomains(<Form start={start} />);
  return userEvent.setup({ delay: null });
}
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Secret' });
const press = (user: ReturnType<typeof userEvent.setup>, name: string) =>
  user.click(screen.getByRole('button', { name }));

it('says of a stored secret only that it is set, and keeps it', async () => {
  const user = await open(HANDLE);
  expect(field().value).toBe('Set. It is not shown again.');
  await user.type(field(), 'typed');
  expect(current).toBe(HANDLE);
  expect(screen.queryByRole('button', { name: 'Copy the secret' })).toBeNull();
});

it('replaces it by one that is entered, or goes back to it', async () => {
  const user = await open(HANDLE);
  await press(user, 'Replace');
  expect(current).toBe('');
  await user.type(field(), 'another-secret');
  expect(current).toBe('another-secret');
  await press(user, 'Keep the current one');
  expect(current).toBe(HANDLE);
});

it('makes one of 256 bits, which can be copied until it is stored', async () => {
  const user = await open(undefined);
  await press(user, 'Generate');
  const first = current;
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(field().value).toBe(first);
  expect(screen.getByRole('button', { name: 'Copy the secret' }).dataset.copy).toBe(first);
  await press(user, 'Generate');
  expect(current).not.toBe(first);
});
