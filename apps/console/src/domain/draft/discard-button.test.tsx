// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { renderDomains } from '../testing/render-domains';
import { sampleConfig, sampleRoute } from '../testing/sample-route';
import { DiscardButton } from './discard-button';

const api = vi.hoisted(() => ({ discardDraft: vi.fn(), getRoute: vi.fn() }));
vi.mock('../../app/api-client', () => ({ api, queryClient: {} }));

const route = sampleRoute({ live: sampleConfig(), version_live: 1, pending_changes: 1, status: 'running' });

function Row() {
  const [isThere, setThere] = useState(true);
  api.getRoute.mockResolvedValue({ result: route });
  api.discardDraft.mockImplementation(async () => {
    setThere(false);
    return { result: { ...route, draft: route.live, pending_changes: 0 } };
  });
  return (
    <main>
      <h1 tabIndex={-1}>www.example.com</h1>
      {isThere && <DiscardButton route={route} />}
    </main>
  );
}

it('leads the focus to the heading where it goes together with its question', async () => {
  await renderDomains(<Row />);
  await userEvent.click(screen.getByRole('button', { name: 'Discard draft' }));
  const question = within(await screen.findByRole('alertdialog'));
  await userEvent.click(question.getByRole('button', { name: 'Discard draft' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })));
});
