// @vitest-environment happy-dom
import type { Route } from '@cordon/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { useUpdateRoute } from '../data/use-update-route';
import { ROUTE_ID, sampleRoute } from '../testing/sample-route';
import { useDraft } from './use-draft';

const api = vi.hoisted(() => ({ updateRoute: vi.fn(), getRoute: vi.fn() }));
vi.mock('../../app/api-client', () => ({ api, queryClient: {} }));

const first = sampleRoute({ draft_revision: 7 });
/** The next draft, with another name of a plugin for each. */
const next = (before: Route, name: string): Route => ({
  ...before,
  draft_revision: before.draft_revision + 1,
  draft: { ...before.draft, plugins: [...before.draft.plugins, { name, enabled: true, config: {} }] },
});

/** A form in which something is typed, and beside it another one that saves at once. */
function setUp() {
  const client = new QueryClient();
  const hook = renderHook(
    ({ route }: { route: Route }) => ({ draft: useDraft(route, true), other: useUpdateRoute(ROUTE_ID) }),
    {
      initialProps: { route: first },
      wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
    },
  );
  return {
    draft: () => hook.result.current.draft,
    show: (route: Route) => hook.rerender({ route }),
    async saveElsewhere(upon: Route, answer: Route) {
      api.updateRoute.mockResolvedValueOnce({ result: answer });
      await act(() => hook.result.current.other.mutateAsync({ upon, body: {} }));
    },
  };
}

it('goes on upon what another form of the page has saved: nobody else has changed anything', async () => {
  const { draft, show, saveElsewhere } = setUp();
  const [second, third] = [next(first, 'a'), next(next(first, 'a'), 'b')];
  await saveElsewhere(first, second);
  await saveElsewhere(second, third);
  show(third);
  expect([draft().theirs, draft().base.draft_revision]).toEqual([undefined, 9]);
});

it('asks where another user has changed the draft, also before or after one’s own change', async () => {
  const { draft, show, saveElsewhere } = setUp();
  const theirs = next(first, 'a');
  const own = next(theirs, 'b');
  await saveElsewhere(theirs, own);
  show(own);
  expect([draft().theirs?.draft_revision, draft().base.draft_revision]).toEqual([9, 7]);
});
