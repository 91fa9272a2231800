// @vitest-environment happy-dom
import type { PluginDefinition } from '@cordon/plugin-kit';
import { definitions } from '@cordon/plugins/definitions';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, expect, it, vi } from 'vitest';
import { renderDomains } from '../testing/render-domains';
import { sampleRoute, sampleSubscription } from '../testing/sample-route';
import { PluginCards } from './plugin-cards';

const api = vi.hoisted(() => ({ listSubscriptions: vi.fn(), getPluginEffects: vi.fn() }));
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
