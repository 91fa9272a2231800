// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { renderDomains } from '../../../domain/testing/render-domains';
import { sampleReceipt, sampleRoute } from '../../../domain/testing/sample-route';
import { HeaderFacts } from './header-facts';

const api = vi.hoisted(() => ({ getReceipt: vi.fn(), listGroups: vi.fn() }));
vi.mock('../../../app/api-client', () => ({ api, queryClient: {} }));
beforeEach(() => {
  api.getReceipt.mockReset();
  api.listGroups.mockResolvedValue({ results: [] });
});

const waiting = sampleReceipt({ state: 'running' });
Object.assign(waiting.nodes[1] ?? {}, { state: 'waiting', live_ms: null, probe_status: null, version: null });

it.each([
  [sampleReceipt(), /^Live on 2\/2 nodes in 187\sms$/],
  [waiting, /^Live on 1\/2 nodes so far…$/],
  [sampleReceipt({ action: 'deactivate' }), /^Removed from 2\/2 nodes in 187\sms$/],
])('sums up the last deploy by its slowest node, or by how many are there (%#)', async (receipt, words) => {
  api.getReceipt.mockResolvedValue({ result: receipt });
  await renderDomains(<HeaderFacts route={sampleRoute()} />);
  expect(await screen.findByText(words)).toBeTruthy();
});

it('says when it was together with how it went, so that nothing moves', async () => {
  let answer: (receipt: unknown) => void = () => {};
  api.getReceipt.mockReturnValue(new Promise((resolve) => (answer = resolve)));
  await renderDomains(<HeaderFacts route={sampleRoute()} />);
  expect(screen.queryByText(/by lin@example.com/)).toBeNull();
  answer({ result: sampleReceipt() });
  expect((await screen.findByText(/by lin@example.com/)).textContent).toMatch(/^Live on 2\/2 nodes in 187\sms · /);
});
