// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest';
import { rankGroups } from '../../app/palette/rank';
import { loadRequestSource } from './request-source';

const api = vi.hoisted(() => ({ listRecentRequests: vi.fn() }));
const queryClient = vi.hoisted(() => ({ fetchQuery: vi.fn() }));
vi.mock('../../app/api-client', () => ({ api, queryClient }));

const ID = '5f1c0b7e9a3d4c2188e6f0a1b2c3d4e5';
const ROUTE_ID = '0190f3a0-0000-7000-8000-000000000001';
const logged = {
  route_id: ROUTE_ID,
  domain_name: 'shop.example',
  method: 'GET',
  path: '/cart',
  status: 403,
  action: 'block',
  plugin: 'ip-restriction',
  reason: 'denied_address',
  rule: '',
  time: '2026-11-20T10:00:00Z',
};
const catalogs = {
  'ip-restriction': { name: 'IP restriction', reasons: { denied_address: 'The address is blocked' } },
};
beforeEach(() => void queryClient.fetchQuery.mockReset().mockResolvedValue(catalogs));
beforeEach(() => void api.listRecentRequests.mockReset().mockResolvedValue({ result: [logged] }));

async function find(query: string) {
  const source = await loadRequestSource();
  const found = (await source.search?.(query, new AbortController().signal)) ?? [];
  return rankGroups(source.groups(), query, found).flatMap(({ items }) => items);
}

it.each([ID, ` ${ID.toUpperCase()} `, `X-Request-Id: ${ID}`])(
  'opens the trace of the request of “%s”',
  async (query) => {
    const [item] = await find(query);
    expect(item).toMatchObject({ label: 'Trace GET shop.example/cart' });
    expect(item?.hint).toMatch(/^403 · IP restriction: The address is blocked · Nov 20, 2026, /);
    const go = vi.fn();
    await item?.run?.({ go, show: vi.fn() });
    expect(go).toHaveBeenCalledWith(`/domain/list/${ROUTE_ID}?tab=diagnosis&view=trace&request=${ID}`);
    expect(api.listRecentRequests.mock.calls[0]?.[0].query).toEqual({ request_id: ID, limit: 1 });
  },
);

it('writes the colon of a Chinese name', async () => {
  const chinese = { 'ip-restriction': { name: 'IP 黑白名单', reasons: { denied_address: 'IP 在黑名单中' } } };
  queryClient.fetchQuery.mockResolvedValue(chinese);
  expect((await find(ID))[0]?.hint).toMatch(/^403 · IP 黑白名单：IP 在黑名单中 · /);
});

it.each([
  [
    { plugin: 'ip-restriction', reason: 'denied_address', rule: '198.51.100.0/24' },
    'IP restriction: The address is blocked · 198.51.100.0/24',
  ],
  [{ plugin: 'blackrules', reason: 'rule_matched', rule: 'Bad traffic' }, 'Custom rules: Bad traffic'],
  [{ plugin: 'geoip', reason: 'country_refused', rule: 'DE' }, 'Country restriction: Blocked country · Germany'],
])('names the entry that matched of %j', async (decided, said) => {
  queryClient.fetchQuery.mockResolvedValue({
    ...catalogs,
    blackrules: { name: 'Custom rules', reasons: { rule_matched: 'Matched a custom rule' } },
    geoip: { name: 'Country restriction', rule: '{country}', reasons: { country_refused: 'Blocked country' } },
  });
  api.listRecentRequests.mockResolvedValue({ result: [{ ...logged, ...decided }] });
  expect((await find(ID))[0]?.hint).toContain(`403 · ${said} · Nov 20`);
});

it('names no reason while the words of plugins cannot be loaded, or where nothing decided', async () => {
  queryClient.fetchQuery.mockRejectedValue(new Error('offline'));
  expect((await find(ID))[0]?.hint).toMatch(/^403 · Nov 20/);
  api.listRecentRequests.mockResolvedValue({ result: [{ ...logged, action: 'pass', plugin: '', status: 200 }] });
  expect((await find(ID))[0]?.hint).toMatch(/^200 · Nov 20/);
});

it('says of a request of a test attack that it was one', async () => {
  api.listRecentRequests.mockResolvedValue({ result: [{ ...logged, is_test: true }] });
  expect((await find(ID))[0]?.hint).toMatch(/^Test attack · 403 · /);
});

it('says where no request of the account has the id yet, and leads to where its log is waited for', async () => {
  api.listRecentRequests.mockResolvedValue({ result: [] });
  const [item] = await find(ID);
  expect(item).toMatchObject({
    label: 'No request has this ID yet. Keep looking',
    hint: 'Logs arrive within a few seconds.',
  });
  const go = vi.fn();
  await item?.run?.({ go, show: vi.fn() });
  expect(go).toHaveBeenCalledWith(`/domain/list?request=${ID}`);
});

it('asks nothing for what is no id', async () => {
  for (const query of ['shop', ID.slice(1), `${ID}0`]) expect(await find(query)).toEqual([]);
  expect(api.listRecentRequests).not.toHaveBeenCalled();
});
