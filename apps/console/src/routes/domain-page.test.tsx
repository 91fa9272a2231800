// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { renderDomains } from '../domain/testing/render-domains';
import { ROUTE_ID, sampleRoute } from '../domain/testing/sample-route';
import { DomainPage } from '../features/domains/page/domain-page';
import { domainPageParts } from './domain-page-parts';

/** Calls without an answer wait for ever. */
const api = vi.hoisted(() => ({ getRoute: vi.fn() }));
vi.mock('../app/api-client', () => ({
  api: new Proxy(api, { get: (known, name) => Reflect.get(known, name) ?? (() => new Promise(() => {})) }),
  queryClient: {},
}));
beforeEach(() => {
  api.getRoute.mockReset();
});

it('shows a paused domain together with its banner, so that nothing moves when that comes', async () => {
  const paused = { since: '2026-11-20T10:00:00Z', until: null, by: 'lin@example.com' };
  api.getRoute.mockResolvedValue({ result: sampleRoute({ paused, is_paused: true }) });
  const head = () => screen.queryByRole('button', { name: 'More actions' });
  const seen: boolean[] = [];
  const observer = new MutationObserver(() => {
    if (head()) seen.push(screen.queryByText('Protection is paused') !== null);
  });
  observer.observe(document.body, { childList: true, subtree: true });
  await renderDomains(
    <DomainPage id={ROUTE_ID} search={{ tab: 'versions' }} onSearchChange={vi.fn()} parts={domainPageParts} />,
  );
  await screen.findByText('Protection is paused');
  observer.disconnect();
  expect(head()).not.toBeNull();
  expect(new Set(seen)).toEqual(new Set([true]));
});
