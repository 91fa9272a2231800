// @vitest-environment happy-dom
import { ApiError } from '@cordon/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { renderDomains } from '../testing/render-domains';
import { sampleConfig, sampleRoute } from '../testing/sample-route';
import { DiscardButton } from './discard-button';

const api = vi.hoisted(() => ({ discardDraft: vi.fn(), getRoute: vi.fn(), updateRoute: vi.fn() }));
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

async function discard() {
  await userEvent.click(screen.getByRole('button', { name: 'Discard draft' }));
  const question = within(await screen.findByRole('alertdialog'));
  await userEvent.click(question.getByRole('button', { name: 'Discard draft' }));
}

it('leads the focus to the heading where it goes together with its question', async () => {
  await renderDomains(<Row />);
  await discard();
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })));
});

it.each([
  ['by the network', new ApiError(0, undefined, undefined, ['Please check your network'])],
  ['by a rate', new ApiError(429, 'TOO_MANY_REQUESTS', undefined, [])],
  ['by a first try that still runs', new ApiError(409, 'OPERATION_RUNNING', undefined, [])],
  ['by a token that is over', new ApiError(401, 'UNAUTHENTICATED', undefined, [])],
])('keeps offering a draft whose Undo failed %s, which nothing else brings back', async (_, error) => {
  await renderDomains(<Row />);
  await discard();
  api.updateRoute.mockReset().mockRejectedValueOnce(error);
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  // In sight, and for screen readers.
  await screen.findAllByText('The draft of www.example.com was not brought back');
  api.updateRoute.mockResolvedValueOnce({ result: route });
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(api.updateRoute).toHaveBeenCalledTimes(2));
  expect(api.updateRoute.mock.lastCall).toEqual(api.updateRoute.mock.calls[0]);
  await waitFor(() => expect(screen.queryAllByText('The draft of www.example.com was not brought back')).toEqual([]));
  expect(await screen.findByText('The draft of www.example.com is back')).toBeTruthy();
});

it('no longer offers a draft that another has taken the place of', async () => {
  await renderDomains(<Row />);
  await discard();
  api.updateRoute.mockReset().mockRejectedValueOnce(new ApiError(409, 'STALE_REVISION', undefined, []));
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
  expect((await screen.findAllByText('It has been changed since.')).length).toBeGreaterThan(0);
});

it('says that the draft is being brought back once that takes long, and no more once it is', async () => {
  await renderDomains(<Row />);
  await discard();
  let answer: (done: unknown) => void = () => undefined;
  api.updateRoute.mockReset().mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  const said = 'Bringing the draft of www.example.com back…';
  expect((await screen.findAllByText(said, {}, { timeout: 3000 })).length).toBeGreaterThan(0);
  answer({ result: route });
  await waitFor(() => expect(screen.queryAllByText(said)).toEqual([]));
});
