// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderWithWords } from '../../testing/render-with-words';
import { notify } from '../../ui/notices';
import { LaterParts } from './later-parts';

vi.mock('../../ui/lazy-part', async (original) => ({
  ...(await original<object>()),
  loadTwice: () => Promise.reject(new Error('not there')),
}));

it('says what is to be said, why, and offers Retry although the file that shows notices is missing', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  renderWithWords(<LaterParts />);
  const onPress = vi.fn();
  const action = { label: 'Retry', onPress };
  act(() => void notify({ title: 'It was not changed', description: 'Please check your network', action }));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe('It was not changedPlease check your networkRetry');
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(onPress).toHaveBeenCalledOnce();
  expect(screen.queryByRole('alert')).toBeNull();
});
