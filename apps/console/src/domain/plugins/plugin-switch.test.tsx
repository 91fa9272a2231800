// @vitest-environment happy-dom
import { ApiError, type PluginEntry, type Route } from '@cordon/contract';
import { definitions } from '@cordon/plugins/definitions';
import { useQuery } from '@tanstack/react-query';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { domainKeys } from '../data/keys';
import { renderDomains } from '../testing/render-domains';
import { ROUTE_ID, sampleConfig, sampleRoute, sampleSubscription } from '../testing/sample-route';
import { PluginCards } from './plugin-cards';

const api = vi.hoisted(() => ({
  listSubscriptions: vi.fn(),
  getPluginEffects: vi.fn(),
  getRoute: vi.fn(),
  updateRoute: vi.fn(),
}));
vi.mock('../../app/api-client', () => ({ api, queryClient: { setQueryData: vi.fn(), invalidateQueries: vi.fn() } }));

interface Write {
  ifMatch: number;
  body: { plugins: PluginEntry[] };
}

/** Two plugins that are set up, and off. */
const two = definitions.filter(({ schema, tier }) => tier !== 'vip' && schema.safeParse({}).success).slice(0, 2);
const first = sampleRoute({
  live: null,
  draft: {
    ...sampleConfig(),
    plugins: two.map(({ name, schema }) => ({ name, enabled: false, config: schema.parse({}) as object })),
  } as Route['draft'],
});

let route: Route;
const withEntries = (entries: readonly PluginEntry[]): Route => ({
  ...route,
  draft_revision: route.draft_revision + 1,
  draft: {
    ...route.draft,
    plugins: route.draft.plugins.map((entry) => entries.find(({ name }) => name === entry.name) ?? entry),
  },
});

function Tab() {
  const { data } = useQuery({ queryKey: domainKeys.route(ROUTE_ID), queryFn: () => route });
  return data ? <PluginCards route={data} definitions={two} onDeploy={vi.fn()} onCopy={vi.fn()} /> : null;
}

beforeEach(() => {
  route = first;
  api.listSubscriptions.mockResolvedValue({ results: [sampleSubscription()] });
  api.getPluginEffects.mockResolvedValue({ result: [] });
  api.getRoute.mockImplementation(async () => ({ result: route }));
});

it('saves two switches that are pressed one after the other, the second upon the answer of the first', async () => {
  const answers: (() => void)[] = [];
  api.updateRoute.mockImplementation(
    ({ ifMatch, body }: Write) =>
      new Promise((resolve) => {
        answers.push(() => {
          expect(ifMatch).toBe(route.draft_revision);
          route = withEntries(body.plugins);
          resolve({ result: route });
        });
      }),
  );
  await renderDomains(<Tab />);
  const user = userEvent.setup({ delay: null });
  const [one, other] = (await screen.findAllByRole('switch')) as [HTMLElement, HTMLElement];
  await user.click(one);
  await user.click(other);
  expect(other.getAttribute('aria-busy')).toBe('true');
  await waitFor(() => expect(answers).toHaveLength(1));
  answers[0]?.();
  await waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.();
  await waitFor(() => expect(screen.getAllByRole('switch', { checked: true })).toHaveLength(2));
  expect(await screen.findAllByText(/is turned on in the draft$/)).not.toHaveLength(0);
  expect(screen.queryByText(/^Another user or tab/)).toBeNull();
});

it('says of a switch that is put back that the draft is as what is live, and offers no deploy', async () => {
  const pending = [2, 0];
  api.updateRoute.mockImplementation(async ({ body }: Write) => {
    route = { ...withEntries(body.plugins), pending_changes: pending.shift() ?? 0 };
    return { result: route };
  });
  await renderDomains(<Tab />);
  const user = userEvent.setup({ delay: null });
  const [one] = (await screen.findAllByRole('switch')) as [HTMLElement];
  await user.click(one);
  expect((await screen.findAllByText('Deploy…')).length).toBeGreaterThan(0);
  await waitFor(() => expect(one.getAttribute('aria-busy')).toBeNull());
  await user.click(one);
  expect((await screen.findAllByText('The draft is the same as the live version again.')).length).toBeGreaterThan(0);
  expect(screen.queryByText('Deploy…')).toBeNull();
});

it('does not know what became of a switch that nothing answered, and takes it for its own afterwards', async () => {
  let isLost = true;
  api.updateRoute.mockImplementation(async ({ ifMatch, body }: Write) => {
    if (ifMatch !== route.draft_revision) throw new ApiError(412, 'STALE_REVISION', undefined, ['code.STALE_REVISION']);
    route = withEntries(body.plugins);
    if (!isLost) return { result: route };
    isLost = false;
    throw new ApiError(0, undefined, undefined, ['Request error']);
  });
  await renderDomains(<Tab />);
  const user = userEvent.setup({ delay: null });
  const [one, other] = (await screen.findAllByRole('switch')) as [HTMLElement, HTMLElement];
  await user.click(one);
  expect(await screen.findAllByText(/may not have been changed$/)).not.toHaveLength(0);
  expect(screen.queryByText(/was not changed$/)).toBeNull();
  await user.click(other);
  await waitFor(() => expect(screen.getAllByRole('switch', { checked: true })).toHaveLength(2));
  expect(screen.queryByText(/^Another user or tab/)).toBeNull();
});

it('blames nobody for a newer draft that cannot be read', async () => {
  const NETWORK = new ApiError(0, undefined, undefined, ['Request error']);
  api.updateRoute.mockRejectedValue(new ApiError(412, 'STALE_REVISION', undefined, ['code.STALE_REVISION']));
  await renderDomains(<Tab />);
  const [one] = (await screen.findAllByRole('switch')) as [HTMLElement];
  api.getRoute.mockRejectedValue(NETWORK);
  await userEvent.setup({ delay: null }).click(one);
  expect(await screen.findAllByText(/may not have been changed$/)).not.toHaveLength(0);
  expect(screen.queryByText(/^Another user or tab/)).toBeNull();
});

it.each([
  ['is saved where another user has changed something else', 1, []],
  ['asks to look where another user has changed the plugin itself', 0, ['Another user or tab']],
] as const)('%s', async (_, of, asked) => {
  api.updateRoute.mockImplementation(async ({ ifMatch, body }: Write) => {
    if (ifMatch !== route.draft_revision) throw new ApiError(412, 'STALE_REVISION', undefined, ['code.STALE_REVISION']);
    route = withEntries(body.plugins);
    return { result: route };
  });
  await renderDomains(<Tab />);
  const [one] = (await screen.findAllByRole('switch')) as [HTMLElement];
  const theirs = route.draft.plugins[of] as PluginEntry;
  route = withEntries([{ ...theirs, config: { ...theirs.config, theirs: true } }]);
  await userEvent.setup({ delay: null }).click(one);
  await waitFor(() => expect(screen.queryAllByText(/is turned on in the draft$/).length > 0).toBe(asked.length === 0));
  expect(screen.queryAllByText(/^Another user or tab/).length > 0).toBe(asked.length > 0);
});

it('says that a switch was not changed where the answer does not have it as wanted', async () => {
  api.updateRoute.mockImplementation(async () => ({ result: withEntries([]) }));
  await renderDomains(<Tab />);
  await userEvent.setup({ delay: null }).click((await screen.findAllByRole('switch'))[0] as HTMLElement);
  expect(await screen.findByText(/was not changed$/)).toBeTruthy();
  expect(screen.queryByText(/is turned on in the draft$/)).toBeNull();
});

it('stands where it was put while it is saved, says after long that nothing has answered, and goes back where that fails', async () => {
  let fail = () => {};
  api.updateRoute.mockImplementation(() => new Promise((_, reject) => (fail = () => reject(new Error('gone')))));
  await renderDomains(<Tab />);
  const one = (await screen.findAllByRole('switch'))[0] as HTMLInputElement;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    fireEvent.click(one);
    await act(() => vi.advanceTimersByTimeAsync(9_000));
    expect(one.checked).toBe(true);
    expect(screen.queryByText(/no answer yet/)).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    expect(screen.getByText(/no answer yet/)).toBeTruthy();
    await act(async () => fail());
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(one.checked).toBe(false);
    expect(screen.queryByText(/no answer yet/)).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});
