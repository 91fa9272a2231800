// @vitest-environment happy-dom
import type { Route, SavedRoute } from '@cordon/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { ROUTE_ID, sampleRoute } from '../testing/sample-route';
import { domainKeys } from './keys';
import { useUpdateRoute } from './use-update-route';

const api = vi.hoisted(() => ({ updateRoute: vi.fn(), getRoute: vi.fn() }));
vi.mock('../../app/api-client', () => ({ api, queryClient: {} }));
beforeEach(() => void api.getRoute.mockReset());

const entry = (name: string, config: Record<string, unknown>) => ({ name, enabled: true, config });
const cache = entry('proxy-cache', { code: ['200'] });
const { draft: base } = sampleRoute();
const upon = sampleRoute({ draft_revision: 7, version_live: 2, draft: { ...base, plugins: [cache] }, live: base });
const sent = entry('ip-restriction', { deny: ['192.0.2.1'] });

/** What the query of the domain is after a save that was answered so. */
async function save(answer: SavedRoute): Promise<Route | undefined> {
  api.updateRoute.mockResolvedValue({ result: answer });
  const client = new QueryClient();
  const { result } = renderHook(() => useUpdateRoute(ROUTE_ID), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  const saved = await result.current.mutateAsync({ upon, body: { plugins: [sent] } });
  expect(client.getQueryData(domainKeys.route(ROUTE_ID))).toEqual(saved);
  return saved;
}
const answered = (plugins: SavedRoute['draft']['plugins'], others: Partial<SavedRoute> = {}): SavedRoute => {
  const { live: _, ...saved } = sampleRoute({ draft_revision: 8, version_live: 2 });
  return { ...saved, draft: { ...base, plugins }, ...others };
};
const bare = ({ name }: { name: string }) => ({ name, enabled: true });

it('takes what an answer leaves out from what was sent, from the draft that was changed, and from what is live', async () => {
  const saved = await save(answered([bare(cache), bare(sent)]));
  expect(saved?.draft.plugins).toEqual([cache, sent]);
  expect(saved?.draft_revision).toBe(8);
  expect(saved?.live).toEqual(upon.live);
  expect(api.getRoute).not.toHaveBeenCalled();
  expect(api.updateRoute).toHaveBeenLastCalledWith({
    params: { id: ROUTE_ID },
    ifMatch: 7,
    body: { plugins: [sent] },
    signal: undefined,
    prefersMinimal: true,
  });
});

it('takes what an answer has from the answer', async () => {
  const kept = entry('ip-restriction', { deny: ['192.0.2.1'], allow: [] });
  const saved = await save(answered([cache, kept], { live: null }));
  expect(saved?.draft.plugins).toEqual([cache, kept]);
  expect(saved?.live).toBeNull();
});

it.each([
  ['of another version', answered([bare(sent)], { version_live: 3 })],
  ['of a plugin that is not known', answered([bare(sent), bare({ name: 'waf' })])],
])('reads the domain where it does not know what was left out, %s', async (_what, answer) => {
  const whole = sampleRoute({ draft_revision: 8, version_live: 3 });
  api.getRoute.mockResolvedValue({ result: whole });
  expect(await save(answer)).toEqual(whole);
});
