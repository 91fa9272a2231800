// @vitest-environment happy-dom
import { definitions } from '@cordon/plugins/definitions';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderDomains } from '../testing/render-domains';
import { sampleConfig, sampleRoute, sampleSubscription } from '../testing/sample-route';
import LevelSheet from './level-sheet';

const api = vi.hoisted(() => ({
  listSubscriptions: vi.fn(),
  // As on a slow line: what it would have done to recent requests does not hold up a customer under attack.
  replayRequests: vi.fn(() => new Promise(() => undefined)),
}));
vi.mock('../../app/api-client', () => ({ api, queryClient: { setQueryData: vi.fn(), invalidateQueries: vi.fn() } }));
const arrival = vi.hoisted(() => {
  let arrive = () => {};
  const promise = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return { promise, arrive: () => arrive() };
});
vi.mock('../changes/change-list', async (load) => {
  await arrival.promise;
  return load();
});

it('saves nothing before it shows what the level changes', async () => {
  api.listSubscriptions.mockResolvedValue({ results: [sampleSubscription()] });
  await renderDomains(
    <LevelSheet
      route={sampleRoute({ live: sampleConfig() })}
      definitions={definitions}
      level="medium"
      open
      onOpenChange={vi.fn()}
    />,
    'en',
  );
  const sheet = within(await screen.findByRole('dialog', { name: 'Protection level: Medium' }));
  const areClosed = () =>
    ['Save as draft', 'Save and deploy', 'Add a note for the history'].map(
      (name) => (sheet.getByRole('button', { name }) as HTMLButtonElement).disabled,
    );
  await waitFor(() => expect(api.replayRequests).toHaveBeenCalled());
  expect(areClosed()).toEqual([true, true, true]);
  arrival.arrive();
  expect(await sheet.findByRole('heading', { name: 'Request limit' })).toBeTruthy();
  await waitFor(() => expect(areClosed()).toEqual([false, false, false]));
});
