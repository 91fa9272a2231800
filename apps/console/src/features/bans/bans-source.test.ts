// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { needCatalogs } from '../../app/intl-store';
import { rankGroups } from '../../app/palette/rank';
import { shellSource } from '../../app/shell/palette-source';
import { loadBansSource } from './bans-source';

it.each([
  ...['ban ip', 'block ip', 'block address', '封ip', '封 ip', '屏蔽 IP', '拉黑'].map((typed) => [
    typed,
    'ban-addresses',
  ]),
  ...['allow ip', 'whitelist', 'allow list', '白名单', '放行'].map((typed) => [typed, 'allow-addresses']),
  ...['unban', 'unblock', '解封'].map((typed) => [typed, 'unban-addresses']),
  ...['edge ip', 'firewall', '回源IP'].map((typed) => [typed, 'edge-addresses']),
] as [string, string][])('%s leads to %s before other actions', async (typed, action) => {
  await needCatalogs('palette', 'shell');
  const source = await loadBansSource();
  const found = rankGroups([...shellSource.groups(), ...source.groups()], typed);
  const actions = found.flatMap(({ items }) => items.map(({ id }) => id)).filter((id) => !id.startsWith('screen:'));
  expect(actions[0]).toBe(action);
});
