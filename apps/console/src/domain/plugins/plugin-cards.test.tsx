// @vitest-environment happy-dom
import type { PluginDefinition } from '@cordon/plugin-kit';
import { defaultEntry } from '@cordon/plugin-kit/schema';
import { definitions } from '@cordon/plugins/definitions';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeAll, expect, it, vi } from 'vitest';
import { renderDomains } from '../testing/render-domains';
import { sampleRoute, sampleSubscription } from '../testing/sample-route';
import { PluginCards } from './plugin-cards';
import type { PluginProposal } from './plugin-proposal';

const api = vi.hoisted(() => ({ listSubscriptions: vi.fn(), getPluginEffects: vi.fn(), updateRoute: vi.fn() }));
vi.mock('../../app/api-client', () => ({ api, queryClient: { setQueryData: vi.fn(), invalidateQueries: vi.fn() } }));
const drawn = vi.hoisted(() => vi.fn());
vi.mock('./plugin-card', () => ({
  PluginCard: ({ definition, onEdit }: { definition: PluginDefinition; onEdit: () => void }) => {
    drawn(definition.name);
    return (
      <button type="button" onClick={() => onEdit()}>
        {definition.name}
      </button>
    );
  },
}));

const configOf = (change: object) => ({
  ...defaultEntry(definitions.find(({ name }) => name === 'proxy-cache') as PluginDefinition).config,
  ...change,
});

beforeAll(() => import('./plugin-sheet'));

it('draws no row anew when the sheet opens or closes', async () => {
  api.listSubscriptions.mockResolvedValue({ results: [sampleSubscription()] });
  api.getPluginEffects.mockResolvedValue({ result: [] });
  await renderDomains(
    <PluginCards route={sampleRoute()} definitions={definitions} onDeploy={vi.fn()} onCopy={vi.fn()} />,
  );
  await screen.findByRole('button', { name: 'ip-restriction' });
  await waitFor(() => expect(api.getPluginEffects).toHaveBeenCalled());
  await waitFor(() => expect(drawn).toHaveBeenCalledWith('ip-restriction'));
  const user = userEvent.setup({ delay: null });
  // What is still to be answered is drawn.
  await new Promise((resolve) => setTimeout(resolve));
  drawn.mockClear();
  await user.click(screen.getByRole('button', { name: 'ip-restriction' }));
  await screen.findByRole('dialog');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(drawn).not.toHaveBeenCalled();
});

const cachingPlugins = definitions.filter(({ area }) => area === 'caching');

/** A page with something besides the cards that proposes a change. */
function ProposingPage() {
  const [proposal, setProposal] = useState<PluginProposal>();
  const config = configOf({ cache_paths: ['/img'] });
  const open = { field: 'response_code', hint: 'Add 404' };
  const focusAfter = () => document.querySelector('h2');
  return (
    <>
      <h2 tabIndex={-1}>Paths</h2>
      <button type="button" onClick={() => setProposal({ plugin: 'proxy-cache', config, open, focusAfter })}>
        open
      </button>
      <button type="button" onClick={() => setProposal({ plugin: 'proxy-cache', config })}>
        propose
      </button>
      <PluginCards
        route={sampleRoute()}
        definitions={cachingPlugins}
        proposal={proposal}
        onDeploy={vi.fn()}
        onCopy={vi.fn()}
      />
    </>
  );
}

it('opens the form with what is proposed elsewhere on the page, and again with each proposal', async () => {
  api.listSubscriptions.mockResolvedValue({ results: [sampleSubscription()] });
  api.getPluginEffects.mockResolvedValue({ result: [] });
  await renderDomains(<ProposingPage />);
  const user = userEvent.setup({ delay: null });
  await screen.findByRole('button', { name: 'proxy-cache' });
  for (let time = 0; time < 2; time++) {
    await user.click(screen.getByRole('button', { name: 'propose' }));
    const sheet = await screen.findByRole('dialog', { name: 'Cache strategy' });
    expect(await within(sheet).findByText('/img')).toBeTruthy();
    expect(within(sheet).getByRole('switch', { name: 'Enabled' })).toHaveProperty('checked', true);
    await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Discard changes' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }
});

it('opens the form at the setting that is still to be changed, says with what, and leads the focus on', async () => {
  api.listSubscriptions.mockResolvedValue({ results: [sampleSubscription()] });
  api.getPluginEffects.mockResolvedValue({ result: [] });
  await renderDomains(<ProposingPage />);
  const user = userEvent.setup({ delay: null });
  await screen.findByRole('button', { name: 'proxy-cache' });
  await user.click(screen.getByRole('button', { name: 'open' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Cache strategy' }));
  expect(await sheet.findByText('Add 404')).toBeTruthy();
  const labels = () => (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent;
  await waitFor(() => expect(labels()).toContain('Status codes'));
  api.updateRoute.mockResolvedValue({ result: sampleRoute({ draft_revision: 14 }) });
  await user.click(sheet.getByRole('button', { name: 'Save as draft' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Paths'));
});
