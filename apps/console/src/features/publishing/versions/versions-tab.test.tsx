// @vitest-environment happy-dom
import { ApiError, type Route, type VersionSummary } from '@cordon/contract';
import { useQuery } from '@tanstack/react-query';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { domainKeys } from '../../../domain/data/keys';
import { routeOptions } from '../../../domain/data/queries';
import { renderDomains } from '../../../domain/testing/render-domains';
import { sampleRoute } from '../../../domain/testing/sample-route';
import { dismissScreenNotices } from '../../../ui/notices';
import { firstSides, useVersionChoice } from './version-choice';
import VersionsTab from './versions-tab';

const api = vi.hoisted(() => ({
  listVersions: vi.fn(),
  getVersion: vi.fn(),
  checkRollback: vi.fn(),
  getRoute: vi.fn(),
  rollBack: vi.fn(),
  discardDraft: vi.fn(),
  updateRoute: vi.fn(),
}));
vi.mock('../../../app/api-client', () => ({ api, queryClient: {} }));

const base = sampleRoute();
const targetAt = (port: number) => ({
  ...base.draft,
  upstreams: { ...base.draft.upstreams, targets: base.draft.upstreams.targets.map((one) => ({ ...one, port })) },
});
const live = targetAt(8001);
const draft = targetAt(8002);
const route: Route = sampleRoute({
  status: 'running',
  version_live: 3,
  last_deployed: '2026-05-01T10:00:00Z',
  pending_changes: 1,
  draft_revision: 7,
  draft_updated_by: 'eve@customer.test',
  draft,
  live,
});
const version = (number: number): VersionSummary => ({
  version: number,
  created_at: '2026-05-01T10:00:00Z',
  created_by: 'ann@customer.test',
  created_by_kind: 'user',
  note: `note ${number}`,
  rolled_back_to: null,
  changes: null,
  changed: null,
  live: number === 3,
  gone_names: [],
});

beforeEach(() => {
  vi.resetAllMocks();
  api.listVersions.mockImplementation(async ({ query }) => ({
    results: [version(3), version(2), version(1)],
    count: 3,
    page: query.page,
    perpage: query.perpage,
  }));
  api.getVersion.mockImplementation(async ({ params }) => ({
    result: { ...version(params.version), config: params.version === 3 ? live : targetAt(8000), certificate_id: null },
  }));
  api.checkRollback.mockResolvedValue({ result: { gone: [], problems: [] } });
  api.getRoute.mockResolvedValue({ result: route });
});

async function open(shown = route) {
  const onDeploy = vi.fn();
  const { client } = await renderDomains(
    <VersionsTab route={shown} page={1} onPageChange={vi.fn()} onDeploy={onDeploy} />,
  );
  client.setQueryData(domainKeys.route(shown.id), shown);
  const table = within(screen.getByTestId('here'));
  await table.findAllByText('note 3');
  const rowOf = (text: string) => within(table.getAllByText(text)[0]?.closest('tr, li, article') as HTMLElement);
  return { user: userEvent.setup(), client, onDeploy, table, rowOf };
}

describe('the history', () => {
  it('says of the only version that it is the first, and shows what it holds', async () => {
    api.listVersions.mockResolvedValue({
      results: [{ ...version(1), live: true, note: '' }],
      count: 1,
      page: 1,
      perpage: 10,
    });
    await renderDomains(
      <VersionsTab
        route={{ ...route, version_live: 1, pending_changes: 0, draft: live }}
        page={1}
        onPageChange={vi.fn()}
        onDeploy={vi.fn()}
      />,
    );
    expect((await screen.findAllByText('First deploy')).length).toBeGreaterThan(0);
    expect(screen.queryByRole('button', { name: 'Compare' })).toBeNull();
    await userEvent.click(screen.getAllByRole('button', { name: 'View settings' })[0] as HTMLElement);
    const dialog = within(await screen.findByRole('dialog', { name: 'Version 1' }));
    expect(await dialog.findByText(/:8000$/)).toBeTruthy();
  });

  it('says of a token that it is one, though it is called as operators are', async () => {
    const by = { created_by: 'operator (lin)', created_by_kind: 'token' } as const;
    const results = [
      { ...version(3), ...by },
      { ...version(2), ...by, created_by_kind: 'operator' as const },
    ];
    api.listVersions.mockResolvedValue({ results, count: 2, page: 1, perpage: 10 });
    const { rowOf } = await open();
    expect(rowOf('note 3').getByText('operator (lin)')).toBeTruthy();
    expect(rowOf('note 3').getByText('API token')).toBeTruthy();
    // Of an operator the name says so.
    expect(rowOf('note 2').queryByText('Operator')).toBeNull();
  });

  it('begins with the draft: who changed it, what waits, and its ways on', async () => {
    const { user, rowOf, onDeploy } = await open();
    const row = rowOf('Draft');
    for (const text of ['1 pending change · not live', 'Origins', 'eve@customer.test']) row.getByText(text);
    await user.click(row.getByRole('button', { name: 'Review and deploy' }));
    expect(onDeploy).toHaveBeenCalledOnce();
  });

  it('names the settings that each version changed, and says how many where their names are not known', async () => {
    const changed = ['targets', 'plugins.domain-config', 'protocol', 'connection_limit', 'tls_ca'];
    api.listVersions.mockResolvedValue({
      results: [
        { ...version(4), changes: 5, changed },
        { ...version(3), changes: 2 },
        { ...version(2), changes: 0, changed: [], note: '' },
        version(1),
      ],
      count: 4,
    });
    const { rowOf } = await open();
    rowOf('note 4').getByText(/^Origins · .+ · Protocol to your origin and 2 more$/);
    rowOf('note 3').getByText('2 settings changed');
    rowOf('v2').getByText('No setting changed');
    expect(rowOf('v2').queryByText('–')).toBeNull();
    expect(rowOf('note 1').queryByText(/changed/)).toBeNull();
  });

  it.each([
    ['Live', 'running', null],
    ['Last live', 'deactivated', null],
    ['Last live', 'running', { scope: 'domain', since: '2026-05-02T10:00:00Z', reason: 'unpaid' }],
  ] as const)('says “%s” of what is live while the domain is %s', async (word, status, suspension) => {
    const { table } = await open({ ...route, status, suspension });
    expect(table.getAllByText(/^(Last live|Live)$/)[0]?.textContent).toBe(word);
  });

  it('without a draft that differs begins with the versions', async () => {
    const { table } = await open({ ...route, draft: live, pending_changes: 0 });
    expect(table.queryByText('Draft')).toBeNull();
  });

  it('rolls back from the row, which says to which version', async () => {
    const { user, rowOf } = await open();
    expect(rowOf('note 3').queryByRole('button', { name: /Roll back/ })).toBeNull();
    const ask = rowOf('note 2').getByRole('button', { name: 'Roll back to version 2' });
    expect(within(ask).getByText('Roll back to version 2')).toBeTruthy();
    await user.click(ask);
    const dialog = within(await screen.findByRole('dialog', { name: 'Roll back to version 2' }));
    await dialog.findByText('v3 → v2');
    const press = await dialog.findByRole('button', { name: 'Roll back to version 2' });
    api.rollBack.mockResolvedValue({ result: route });
    await waitFor(() => expect((press as HTMLButtonElement).disabled).toBe(false));
    await user.click(press);
    await waitFor(() => expect(api.rollBack).toHaveBeenCalledOnce());
    expect(api.rollBack.mock.calls[0]?.[0].body).toEqual({ deploy: true, note: '', accept_gone: true });
  });

  it.each([
    [3, 'minmax(min(185px, 22vw), 185px)'],
    [12, 'minmax(min(261px, 22vw), 261px)'],
    [60, 'minmax(min(311px, 22vw), 311px)'],
  ])('gives who deployed the room of the longest address, on one line (%i)', async (letters, track) => {
    const by = `${'a'.repeat(letters)}@customer.test`;
    const { table } = await open({ ...route, draft_updated_by: by });
    expect(table.getByRole('table').style.getPropertyValue('--tracks-lg')).toContain(
      ` ${track} minmax(clamp(120px, 13vw, 200px), 1fr) `,
    );
    const who = table.getByText(by);
    expect([who.title, who.className.includes('truncate')]).toEqual([by, true]);
  });

  it('says once that a version is a rollback', async () => {
    const back = (number: number, note: string) => ({ ...version(number), rolled_back_to: 1, note });
    api.listVersions.mockResolvedValue({
      results: [version(3), back(5, '回滚到版本 1'), back(4, 'Rolled back to version 1'), back(2, 'it was slower')],
      count: 4,
    });
    const { table } = await open({ ...route, draft: live, pending_changes: 0 });
    expect(table.getAllByText('Rolled back to version 1')).toHaveLength(3);
    expect(table.queryByText('–')).toBeNull();
    expect(table.queryByText('回滚到版本 1')).toBeNull();
    table.getByText('it was slower');
  });
});

/** As the domain is now. */
function Page() {
  const { data } = useQuery(routeOptions(route.id));
  return data ? <VersionsTab route={data} page={1} onPageChange={vi.fn()} onDeploy={vi.fn()} /> : null;
}
const lost = () => new ApiError(0, undefined, undefined, ['Please check your network']);
const stale = () => new ApiError(409, 'STALE_REVISION', undefined, []);

it('rolls back once where the answer was lost, whatever the first try has made of the domain meanwhile', async () => {
  api.getRoute.mockResolvedValue({ result: route });
  const { client } = await renderDomains(<Page />);
  const user = userEvent.setup();
  const [row] = await screen.findAllByText('note 1');
  await user.click(
    within(row?.closest('tr, li, article') as HTMLElement).getByRole('button', { name: 'Roll back to version 1' }),
  );
  const dialog = within(await screen.findByRole('dialog'));
  const button = await dialog.findByRole('button', { name: 'Roll back to version 1' });
  const note = () => dialog.getByRole<HTMLInputElement>('textbox');
  await waitFor(() => expect(button).toHaveProperty('disabled', false));
  await user.type(note(), 'why');
  api.rollBack.mockRejectedValueOnce(lost());
  await user.click(button);
  await dialog.findByText('Please check your network');
  const done = { ...route, draft: targetAt(8000), live: targetAt(8000), pending_changes: 0, version_live: 4 };
  act(() => void client.setQueryData(domainKeys.route(route.id), { ...done, draft_revision: 8 }));
  // With another note it would be another request.
  expect(note().disabled).toBe(true);
  api.rollBack.mockRejectedValueOnce(new ApiError(409, 'OPERATION_RUNNING', undefined, []));
  await user.click(button);
  await waitFor(() => expect(api.rollBack).toHaveBeenCalledTimes(2));
  api.rollBack.mockRejectedValueOnce(stale());
  await waitFor(() => expect(button).toHaveProperty('disabled', false));
  await user.click(button);
  await waitFor(() => expect(api.rollBack).toHaveBeenCalledTimes(3));
  const [first, ...again] = api.rollBack.mock.calls;
  expect(first?.[0]).toMatchObject({ ifMatch: 7, body: { note: 'why', deploy: true } });
  for (const call of again) expect(call).toEqual(first);
  // Refused, it is asked about what is so now.
  await waitFor(() => expect(note().disabled).toBe(false));
});

describe('a discarded draft', () => {
  async function discard() {
    const { client, user, rowOf } = await open();
    await user.click(rowOf('Draft').getByRole('button', { name: 'Discard draft' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    dialog.getByText(/Discard 1 pending change of/);
    const change = await dialog.findByRole('definition');
    expect(change.textContent).toMatch(/Removed:.*8002.*Added:.*8001/);
    await user.click(dialog.getByRole('button', { name: 'Discard draft' }));
    return { client, user };
  }

  it('is named before, gone with the revision that was read, and comes back by Undo', async () => {
    api.discardDraft.mockResolvedValue({
      result: { ...route, draft: live, pending_changes: 0, draft_revision: 8 },
    });
    api.updateRoute.mockResolvedValue({ result: { ...route, draft_revision: 9 } });
    await discard();
    expect(api.discardDraft).toHaveBeenCalledWith({ params: { id: route.id }, ifMatch: 7 });
    const undo = await screen.findByRole('button', { name: 'Undo' });
    fireEvent.click(undo);
    fireEvent.click(undo);
    await waitFor(() =>
      expect(api.updateRoute).toHaveBeenCalledWith({
        params: { id: route.id },
        ifMatch: 8,
        body: { ...draft, wildcard_levels: 'one' },
      }),
    );
    await waitFor(() => expect(screen.queryByText(/^1 pending change of .+ discarded$/)).toBeNull());
    expect(api.updateRoute).toHaveBeenCalledOnce();
  });

  describe('whose answer was lost', () => {
    const discarded = { ...route, draft: live, pending_changes: 0, draft_revision: 8 };
    async function loseDiscard() {
      api.discardDraft.mockRejectedValueOnce(lost());
      const opened = await discard();
      const question = within(screen.getByRole('alertdialog'));
      await question.findByText('Please check your network');
      return { ...opened, question };
    }
    const undo = async () => {
      api.updateRoute.mockResolvedValue({ result: { ...route, draft_revision: 9 } });
      await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
      await waitFor(() =>
        expect(api.updateRoute).toHaveBeenCalledWith({
          params: { id: route.id },
          ifMatch: 8,
          body: { ...draft, wildcard_levels: 'one' },
        }),
      );
    };

    it('is asked for once more with the same request, and comes back by Undo', async () => {
      const { client, user, question } = await loseDiscard();
      act(() => void client.setQueryData(domainKeys.route(route.id), discarded));
      question.getByText(/Discard 1 pending change of/);
      api.discardDraft.mockResolvedValueOnce({ result: discarded });
      await user.click(question.getByRole('button', { name: 'Discard draft' }));
      await waitFor(() => expect(api.discardDraft).toHaveBeenCalledTimes(2));
      expect(api.discardDraft.mock.calls[1]).toEqual(api.discardDraft.mock.calls[0]);
      expect((await screen.findAllByText(/^1 pending change of .+ discarded$/)).length).toBeGreaterThan(0);
      await undo();
    });

    it('comes back by Undo where the question is closed instead', async () => {
      const { user, question } = await loseDiscard();
      api.getRoute.mockResolvedValue({ result: discarded });
      await user.click(question.getByRole('button', { name: 'Cancel' }));
      await undo();
    });

    it('is not said to be discarded where it was not, or was deployed', async () => {
      for (const now of [route, { ...discarded, draft, live: draft, version_live: 4 }]) {
        const { client, user, question } = await loseDiscard();
        api.getRoute.mockResolvedValue({ result: now });
        api.getRoute.mockClear();
        await user.click(question.getByRole('button', { name: 'Cancel' }));
        await waitFor(() => expect(api.getRoute).toHaveBeenCalled());
        await waitFor(() => expect(client.getQueryData(domainKeys.route(route.id))).toEqual(now));
        expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
        cleanup();
        api.getRoute.mockResolvedValue({ result: route });
      }
    });
  });

  it('can be brought back from another screen', async () => {
    api.discardDraft.mockResolvedValue({
      result: { ...route, draft: live, pending_changes: 0, draft_revision: 8 },
    });
    await discard();
    await screen.findByRole('button', { name: 'Undo' });
    act(() => dismissScreenNotices());
    api.updateRoute.mockResolvedValue({ result: { ...route, draft_revision: 9 } });
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect((await screen.findAllByText(/^The draft of .+ is back$/)).length).toBeGreaterThan(0);
  });

  it('cannot come back once the draft is another one', async () => {
    const discarded = { ...route, draft: live, pending_changes: 0, draft_revision: 8 };
    api.discardDraft.mockResolvedValue({ result: discarded });
    const { client } = await discard();
    await screen.findByRole('button', { name: 'Undo' });
    act(() => void client.setQueryData(domainKeys.route(route.id), { ...discarded, status: 'paused' }));
    expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy();
    act(() => void client.setQueryData(domainKeys.route(route.id), { ...discarded, draft_revision: 9 }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
  });
});

function Choice() {
  const { options, olderCount, loadOlder } = useVersionChoice(route, ['draft']);
  return (
    <button type="button" onClick={loadOlder}>
      {`${options.length} options, ${options.at(-1)?.value} is the last, ${olderCount} older`}
    </button>
  );
}

describe('what there is to choose from', () => {
  it('is read a hundred versions at a time, and stands where the older ones cannot be read', async () => {
    const count = 150;
    const all = Array.from({ length: count }, (_, at) => version(count - at));
    api.listVersions.mockImplementation(async ({ query: { page, perpage } }) => ({
      results: all.slice((page - 1) * perpage, page * perpage),
      count,
      page,
      perpage,
    }));
    await renderDomains(<Choice />);
    const button = await screen.findByRole('button', { name: '101 options, 51 is the last, 50 older' });
    api.listVersions.mockRejectedValueOnce(new ApiError(400, undefined, undefined, []));
    fireEvent.click(button);
    await waitFor(() => expect(api.listVersions).toHaveBeenCalledTimes(3));
    expect(button.textContent).toBe('101 options, 51 is the last, 50 older');
    fireEvent.click(button);
    await screen.findByRole('button', { name: '151 options, 1 is the last, 0 older' });
  });
});

describe('what is compared first', () => {
  const none = { version_live: 3, pending_changes: 0, status: 'running' } as const;
  it.each([
    ['the draft', { ...none, pending_changes: 2 }, 'draft', 3, { from: '3', to: 'draft' }],
    ['what is live, while changes wait', { ...none, pending_changes: 2 }, 3, 3, { from: '3', to: 'draft' }],
    ['what is live', none, 3, 3, { from: '2', to: '3' }],
    ['an earlier version', none, 1, 3, { from: '3', to: '1' }],
    ['the only version', { ...none, version_live: 1 }, 1, 1, undefined],
  ] as const)('%s', (_what, route, row, count, sides) => expect(firstSides(route, row, count)).toEqual(sides));
});
