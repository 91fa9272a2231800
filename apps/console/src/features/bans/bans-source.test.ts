// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { needCatalogs, setLocale } from '../../app/intl-store';
import { rankGroups } from '../../app/palette/rank';
import { shellSource } from '../../app/shell/palette-source';
import { loadBansSource } from './bans-source';

const api = vi.hoisted(() => ({ listBans: vi.fn() }));
vi.mock('../../app/api-client', () => ({ api, queryClient: { getQueryData: () => undefined } }));

it.each([
  ...['ban ip', 'block ip', 'block address', '封ip', '封 ip', '屏蔽 IP', '拉黑'].map((typed) => [
    typed,
    'ban-addresses',
  ]),
  ...['allow ip', 'whitelist', 'allow list', '白名单', '放行'].map((typed) => [typed, 'allow-addresses']),
  ...['unban', 'unblock', '解封'].map((typed) => [typed, 'unban-addresses']),
  ...['edge ip', 'origin firewall', '回源IP'].map((typed) => [typed, 'edge-addresses']),
] as [string, string][])('%s leads to %s before other actions', async (typed, action) => {
  await needCatalogs('palette', 'shell');
  const source = await loadBansSource();
  const found = rankGroups([...shellSource.groups(), ...source.groups()], typed);
  const actions = found.flatMap(({ items }) => items.map(({ id }) => id)).filter((id) => !id.startsWith('screen:'));
  expect(actions[0]).toBe(action);
});

/** What the palette lists for a query first, and where it leads. */
async function firstOf(query: string) {
  await needCatalogs('palette', 'shell');
  const source = await loadBansSource();
  const found = (await source.search?.(query, new AbortController().signal)) ?? [];
  const first = rankGroups(source.groups(), query, found)[0]?.items[0];
  const go = vi.fn();
  await first?.run?.({ go, show: vi.fn() });
  return { label: first?.label, hint: first?.hint, path: go.mock.lastCall?.[0] };
}

it.each([
  ['en', 'Banned: 9.9.9.0/24', 'All domains · scans'],
  ['zh', '已封禁：9.9.9.0/24', '所有域名 · scans'],
] as const)('finds in %s the ban that an address lies in', async (locale, label, hint) => {
  await setLocale(locale);
  api.listBans.mockResolvedValue({ results: [{ id: 'b1', network: '9.9.9.0/24', domain_name: null, note: 'scans' }] });
  expect(await firstOf('9.9.9.9')).toEqual({ label, hint, path: '/manage-ip?q=9.9.9.9' });
  expect(api.listBans.mock.lastCall?.[0].query).toMatchObject({ q: '9.9.9.9' });
  await setLocale('en');
});

it.each(['ban 9.9.9.9', 'Block IP 9.9.9.9', '封禁 9.9.9.9', '封禁9.9.9.9', 'unban 9.9.9.9'])(
  'finds the address in “%s”',
  async (typed) => {
    api.listBans.mockReset().mockResolvedValue({ results: [] });
    expect(await firstOf(typed)).toMatchObject({
      label: 'Ban 9.9.9.9',
      path: '/manage-ip?add=true&address=9.9.9.9',
    });
    expect(api.listBans.mock.lastCall?.[0].query.q).toBe('9.9.9.9');
  },
);

it('offers the ban of an address that is not banned, and asks about nothing but addresses', async () => {
  api.listBans.mockReset().mockResolvedValue({ results: [] });
  expect(await firstOf('2606:4700::/32')).toEqual({
    label: 'Ban 2606:4700::/32',
    hint: 'Not banned',
    path: '/manage-ip?add=true&address=2606%3A4700%3A%3A%2F32',
  });
  await firstOf('9.9');
  await firstOf('ban ip');
  await firstOf('allow 9.9.9.9');
  expect(api.listBans).toHaveBeenCalledOnce();
});
