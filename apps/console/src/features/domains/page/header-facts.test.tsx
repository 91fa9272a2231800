// @vitest-environment happy-dom
import type { Health, Route } from '@cordon/contract';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { domainKeys } from '../../../domain/data/keys';
import { renderDomains } from '../../../domain/testing/render-domains';
import { goneRecord, ROUTE_ID, sampleReceipt, sampleRoute } from '../../../domain/testing/sample-route';
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

it('says nothing of what was live before while an operation runs, but how far that is', async () => {
  const running = { id: ROUTE_ID, action: 'deploy', state: 'running', started_at: '2026-11-20T10:00:00Z' } as const;
  const route = sampleRoute({ operation: { ...running, finished_at: null, error: null } });
  api.getReceipt.mockResolvedValueOnce({ result: sampleReceipt() });
  api.getReceipt.mockResolvedValue({ result: waiting });
  const { client } = await renderDomains(<HeaderFacts route={route} />);
  await waitFor(() => expect(client.getQueryData(domainKeys.receipt(ROUTE_ID))).toBeTruthy());
  expect(screen.queryByText(/^Live on/)).toBeNull();
  await client.refetchQueries({ queryKey: domainKeys.receipt(ROUTE_ID) });
  expect(await screen.findByText('Live on 1/2 nodes so far…')).toBeTruthy();
});

it('says when it was together with how it went, so that nothing moves', async () => {
  let answer: (receipt: unknown) => void = () => {};
  api.getReceipt.mockReturnValue(new Promise((resolve) => (answer = resolve)));
  await renderDomains(<HeaderFacts route={sampleRoute()} />);
  expect(screen.queryByText(/by lin@example.com/)).toBeNull();
  answer({ result: sampleReceipt() });
  expect((await screen.findByText(/by lin@example.com/)).parentElement?.textContent).toMatch(
    /^v7 · Live on 2\/2 nodes in 187\sms · /,
  );
});

it('of a domain that was brought back, says when that was, and not who deployed what it serves', async () => {
  api.getReceipt.mockResolvedValue({
    result: sampleReceipt({ action: 'resume', committed_at: new Date(Date.now() - 3 * 3_600_000).toISOString() }),
  });
  await renderDomains(<HeaderFacts route={sampleRoute()} />);
  expect(await screen.findByText(/· resumed 3 hours ago$/)).toBeTruthy();
  expect(screen.queryByText(/lin@example.com/)).toBeNull();
});

it('says that DNS is waited for where the badge of the health does not', async () => {
  api.getReceipt.mockResolvedValue({ result: sampleReceipt() });
  const ownership = { ...sampleRoute().ownership, state: 'pending' } as const;
  const finding = {
    check: 'ownership',
    state: 'error',
    finding: 'no_record',
    params: {},
    advice: null,
    since: null,
  } as const;
  const certificate = { ...finding, check: 'certificate', finding: 'default_certificate' } as const;
  const health: Health = { state: 'error', findings: [finding, certificate], looked_at: null };
  await renderDomains(<HeaderFacts route={sampleRoute({ ownership })} />);
  expect(screen.getByText('Waiting for DNS')).toBeTruthy();
  cleanup();
  await renderDomains(<HeaderFacts route={sampleRoute({ ownership, health })} />);
  expect(screen.queryByText('Waiting for DNS')).toBeNull();
  expect(screen.queryByText('No TLS certificate')).toBeNull();
});

it('says of DNS what the health does, though the name was proved once', async () => {
  api.getReceipt.mockResolvedValue({ result: sampleReceipt() });
  await renderDomains(<HeaderFacts route={sampleRoute()} />);
  expect(screen.getByText('CNAME set up')).toBeTruthy();
  cleanup();
  await renderDomains(<HeaderFacts route={sampleRoute({ health: goneRecord })} />);
  expect(screen.queryByText('CNAME set up')).toBeNull();
});

it('begins its last line on a phone without the room of a link to the site that is none', async () => {
  api.getReceipt.mockResolvedValue({ result: sampleReceipt({ action: 'deactivate' }) });
  const beforeLast = async (route: Partial<Route>) => {
    await renderDomains(<HeaderFacts route={sampleRoute(route)} />);
    const line = (await screen.findByText(/^Removed from/)).parentElement;
    const isHidden = line?.previousElementSibling?.classList.contains('phone:hidden');
    cleanup();
    return isHidden;
  };
  expect(await beforeLast({ status: 'deactivated' })).toBe(true);
  expect(await beforeLast({ status: 'deactivated', domain_name_unicode: 'bücher.example' })).toBe(false);
  expect(await beforeLast({})).toBe(false);
});
