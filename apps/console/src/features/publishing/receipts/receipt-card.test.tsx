// @vitest-environment happy-dom
import { cleanup, screen, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { renderDomains } from '../../../domain/testing/render-domains';
import { sampleReceipt, sampleRoute } from '../../../domain/testing/sample-route';
import { ReceiptCard } from './receipt-card';

const { getReceipt } = vi.hoisted(() => ({ getReceipt: vi.fn() }));
vi.mock('../../../app/api-client', () => ({ api: { getReceipt }, queryClient: {} }));
beforeEach(() => getReceipt.mockReset());

it('proves each node with its milliseconds and probe, and leaves version, time and sum to the head of the page', async () => {
  getReceipt.mockResolvedValue({ result: sampleReceipt() });
  await renderDomains(<ReceiptCard route={sampleRoute()} />);
  const [first, second] = await screen.findAllByRole('listitem');
  expect(screen.queryByText(/Live on 2\/2/)).toBeNull();
  expect(within(first as HTMLElement).getByText(/^42\sms · probe 200$/)).toBeTruthy();
  expect(screen.queryByText(/Version 7/)).toBeNull();
  expect(within(second as HTMLElement).getByText('Live')).toBeTruthy();
});

it('tells of one node alone nothing that the head does, but another version that it has', async () => {
  const receipt = sampleReceipt();
  receipt.nodes.splice(1);
  getReceipt.mockResolvedValue({ result: receipt });
  await renderDomains(<ReceiptCard route={sampleRoute()} />);
  expect(await screen.findByText('probe 200')).toBeTruthy();
  cleanup();
  Object.assign(receipt.nodes[0] ?? {}, { version: 6 });
  await renderDomains(<ReceiptCard route={sampleRoute()} />);
  expect(await screen.findByText('v6 · probe 200')).toBeTruthy();
});

it.each([
  ['resume', /^Version 7 resumed · /],
  ['clear_cache', /^Cache cleared · /],
] as const)('says what was done last where the head does not: %s', async (action, words) => {
  getReceipt.mockResolvedValue({ result: sampleReceipt({ action }) });
  await renderDomains(<ReceiptCard route={sampleRoute()} />);
  expect(await screen.findByText(words)).toBeTruthy();
});

it('tells which nodes are still waited for', async () => {
  const receipt = sampleReceipt({ state: 'running' });
  Object.assign(receipt.nodes[1] ?? {}, { state: 'waiting', live_ms: null, probe_status: null, version: null });
  getReceipt.mockResolvedValue({ result: receipt });
  await renderDomains(<ReceiptCard route={sampleRoute()} />);
  expect(await screen.findByText('Waiting')).toBeTruthy();
});

it('says why a node does not load the version, and which it serves on', async () => {
  const receipt = sampleReceipt({ state: 'failed' });
  const refusal = 'geoip: no list of countries';
  Object.assign(receipt.nodes[1] ?? {}, { state: 'failed', live_ms: null, probe_status: null, version: 6, refusal });
  getReceipt.mockResolvedValue({ result: receipt });
  await renderDomains(<ReceiptCard route={sampleRoute()} />);
  expect(await screen.findByText(`Could not be loaded: ${refusal}`)).toBeTruthy();
  expect(screen.getByText('v6')).toBeTruthy();
});

it('says that a deactivated domain is gone from the nodes, not live on them', async () => {
  getReceipt.mockResolvedValue({ result: sampleReceipt({ action: 'deactivate' }) });
  await renderDomains(<ReceiptCard route={sampleRoute({ status: 'deactivated' })} />);
  expect(await screen.findAllByText('Removed')).toHaveLength(2);
});

it('explains what a receipt is before the first deploy', async () => {
  getReceipt.mockResolvedValue({ result: null });
  await renderDomains(<ReceiptCard route={sampleRoute({ last_deployed: null })} />);
  expect(await screen.findByText('No deploy yet')).toBeTruthy();
});
