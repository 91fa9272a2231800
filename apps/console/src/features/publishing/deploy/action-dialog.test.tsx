// @vitest-environment happy-dom
import type { Task } from '@cordon/contract';
import { QueryObserver } from '@tanstack/react-query';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { needCatalogs } from '../../../app/intl-store';
import { domainKeys } from '../../../domain/data/keys';
import { taskKeys } from '../../../domain/tasks/queries';
import { renderDomains } from '../../../domain/testing/render-domains';
import { sampleRoute } from '../../../domain/testing/sample-route';
import ActionDialog from './action-dialog';

const api = vi.hoisted(() => ({ listTasks: vi.fn(), deleteRoute: vi.fn(), getTraffic: vi.fn() }));
vi.mock('../../../app/api-client', () => ({ api, queryClient: {} }));

const route = sampleRoute({ status: 'deactivated', domain_name: 'shop.example', domain_name_unicode: 'shop.example' });
const taskOf = (id: number, domains: number): Task => ({
  id: `00000000-0000-4000-8000-00000000000${id}`,
  kind: 'clear cache',
  state: 'task_scheduled',
  ...{ clear_kind: 'all', values: [], entries: 0 },
  soft: false,
  domains,
  first_domain: 'a.example',
  domain_names: ['a.example'],
  at: `2026-12-0${id}T03:30:00.000Z`,
  created_by: 'ann@example.com',
  batch_id: null,
  failed: 0,
});

it.each([
  [
    'en',
    'Delete shop.example?',
    '5 tasks are scheduled:',
    [
      'Clear cache of shop.example, Dec 1, 2026, 03:30:00: will be cancelled',
      'Clear cache of shop.example and 1 other domain, Dec 2, 2026, 03:30:00: will run for the other domain only',
      'Clear cache of shop.example and 2 other domains, Dec 3, 2026, 03:30:00: will run for the other 2 domains only',
      'and 2 more',
    ],
  ],
  [
    'zh',
    '删除 shop.example？',
    '有 5 个计划任务：',
    [
      '清除 shop.example 的缓存，2026年12月1日 03:30:00：将被取消',
      '清除 shop.example 及另外 1 个域名的缓存，2026年12月2日 03:30:00：将只对其余 1 个域名执行',
      '清除 shop.example 及另外 2 个域名的缓存，2026年12月3日 03:30:00：将只对其余 2 个域名执行',
      '另有 2 个',
    ],
  ],
] as const)(
  'says in %s before a domain is deleted what becomes of its scheduled tasks',
  async (locale, title, head, lines) => {
    await needCatalogs('domain');
    api.listTasks.mockResolvedValue({ results: [1, 2, 3, 4, 5].map((id) => taskOf(id, id)) });
    api.deleteRoute.mockResolvedValue({ result: { ...route, operation: null } });
    const onDeleted = vi.fn();
    const { client } = await renderDomains(
      <ActionDialog action="delete" route={route} open onOpenChange={vi.fn()} onDeleted={onDeleted} />,
      locale,
    );
    const readAll = vi.fn(async () => []);
    const stop = new QueryObserver(client, { queryKey: taskKeys.list(undefined), queryFn: readAll }).subscribe(
      () => {},
    );
    const readRoute = vi.fn(async () => route);
    const leave = new QueryObserver(client, { queryKey: domainKeys.route(route.id), queryFn: readRoute }).subscribe(
      () => {},
    );
    const dialog = await screen.findByRole('alertdialog', { name: title });
    await within(dialog).findByText(head);
    expect(
      within(dialog)
        .getAllByRole('listitem')
        .map((line) => line.textContent),
    ).toEqual(lines);
    expect(api.listTasks).toHaveBeenCalledWith(expect.objectContaining({ query: { route_id: route.id } }));
    // Once it is deleted, those of all are read anew, and nothing of the domain that is gone.
    const user = userEvent.setup({ delay: null });
    const asked = api.listTasks.mock.calls.length;
    expect([readAll, readRoute].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
    await user.type(within(dialog).getByRole('textbox'), 'shop.example');
    await user.click(within(dialog).getByRole('button', { name: locale === 'en' ? 'Delete domain' : /^删除/ }));
    await waitFor(() => expect(readAll).toHaveBeenCalledTimes(2));
    await waitFor(() => expect(onDeleted).toHaveBeenCalled());
    expect([api.listTasks.mock.calls.length, readRoute.mock.calls.length]).toEqual([asked, 1]);
    stop();
    leave();
  },
);
