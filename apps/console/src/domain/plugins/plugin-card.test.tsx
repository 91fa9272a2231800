// @vitest-environment happy-dom
import { definitions } from '@cordon/plugins/definitions';
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderDomains } from '../testing/render-domains';
import { sampleRoute, sampleSubscription } from '../testing/sample-route';
import { PluginCards } from './plugin-cards';

const api = vi.hoisted(() => ({ listSubscriptions: vi.fn(), getPluginEffects: vi.fn() }));
vi.mock('../../app/api-client', () => ({ api, queryClient: {} }));

it('cuts no word of what a plugin does or would do', async () => {
  api.listSubscriptions.mockResolvedValue({ results: [sampleSubscription()] });
  api.getPluginEffects.mockResolvedValue({ result: [] });
  await renderDomains(
    <PluginCards route={sampleRoute()} definitions={definitions} onDeploy={vi.fn()} onCopy={vi.fn()} />,
  );
  const rows = await screen.findAllByRole('article');
  expect(rows.some((row) => row.querySelector('p'))).toBe(true);
  for (const row of rows) expect(row.querySelector('.truncate')).toBeNull();
});
