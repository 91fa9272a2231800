// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderWithWords } from '../../testing/render-with-words';
import { notify } from '../../ui/notices';
import { LaterParts } from './later-parts';

vi.mock('../../ui/lazy-part', async (original) => ({
  ...(await original<object>()),
  loadTwice: () => Promise.reject(new Error('not there')),
}));

it('says what is to be said although the file that shows notices is missing', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  renderWithWords(<LaterParts />);
  act(() => void notify({ title: 'This part could not be loaded' }));
  expect((await screen.findByRole('alert')).textContent).toBe('This part could not be loaded');
});
