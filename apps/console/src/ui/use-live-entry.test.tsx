// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderWithWords } from '../testing/render-with-words';
import { TagListInput } from './tag-list-input';

function Paths({ isLive }: { isLive: boolean }) {
  const [value, setValue] = useState(['/a']);
  return (
    <>
      <TagListInput label="Paths" value={value} onValueChange={setValue} isLive={isLive} />
      <output>{value.join(' ')}</output>
    </>
  );
}
const shown = () => screen.getByText((_, element) => element?.tagName === 'OUTPUT').textContent;
const tags = () => screen.getAllByRole('button', { name: /^Remove/ }).length;

it('counts what is typed once typing rests, as no entry yet, and once when it is added', async () => {
  await renderWithWords(<Paths isLive />);
  const user = userEvent.setup({ delay: null });
  const input = screen.getByRole('textbox', { name: 'Paths' });
  await user.type(input, '/log');
  await waitFor(() => expect(shown()).toBe('/a /log'));
  expect([tags(), (input as HTMLInputElement).value]).toEqual([1, '/log']);
  await user.type(input, 'in');
  await waitFor(() => expect(shown()).toBe('/a /login'));
  await user.type(input, '{Enter}');
  expect([shown(), tags(), (input as HTMLInputElement).value]).toEqual(['/a /login', 2, '']);
});

it('takes back what is deleted before it was added, and says nothing twice', async () => {
  await renderWithWords(<Paths isLive />);
  const user = userEvent.setup({ delay: null });
  const input = screen.getByRole('textbox', { name: 'Paths' });
  await user.type(input, '/b');
  await waitFor(() => expect(shown()).toBe('/a /b'));
  await user.type(input, '{Backspace}a');
  await waitFor(() => expect(shown()).toBe('/a'));
});

it('leaves other lists as they are until an entry is added', async () => {
  await renderWithWords(<Paths isLive={false} />);
  const user = userEvent.setup({ delay: null });
  const input = screen.getByRole('textbox', { name: 'Paths' });
  await user.type(input, '/b');
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(shown()).toBe('/a');
  await user.type(input, '{Enter}');
  expect(shown()).toBe('/a /b');
});
