// @vitest-environment happy-dom
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderWithWords } from '../../testing/render-with-words';
import { notify } from '../../ui/notices';
import { askToLeave } from '../leave-question';
import { LaterParts } from './later-parts';

it('shows the first notice although what shows it comes later', async () => {
  renderWithWords(<LaterParts />);
  expect(screen.queryByRole('region', { name: 'Notices' })).toBeNull();
  act(() => void notify({ title: 'Saved' }));
  expect(await screen.findByText('Saved')).toBeDefined();
});

it('asks before changes are lost although the question comes later', async () => {
  renderWithWords(<LaterParts />);
  let answer: Promise<boolean> | undefined;
  act(() => {
    answer = askToLeave();
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Discard changes' }));
  expect(await answer).toBe(true);
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
});
