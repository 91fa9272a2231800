// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { needCatalogs, setLocale } from '../app/intl-store';
import { rankGroups } from '../app/palette/rank';
import { domainKeys } from '../domain/data/keys';
import { sampleRoute } from '../domain/testing/sample-route';
import { loadPaletteSources } from './palette-sources';

const client = vi.hoisted(() => ({ current: undefined as unknown as QueryClient }));
vi.mock('../app/api-client', () => ({
  api: {},
  get queryClient() {
    return client.current;
  },
}));

beforeEach(async () => {
  client.current = new QueryClient();
  await needCatalogs('palette', 'shell');
});

afterAll(() => setLocale('en'));

/** The actions that the palette lists for a query, best first; what is only asked for a domain is the same. */
async function listed(query: string, open: { is_paused: boolean } | undefined) {
  const route = sampleRoute({ domain_name: 'shop.example', domain_name_unicode: 'shop.example', ...open });
  client.current.clear();
  if (open) client.current.setQueryData(domainKeys.route(route.id), route);
  window.location.hash = open ? `#/domain/list/${route.id}` : '';
  const sources = await loadPaletteSources();
  const ranked = rankGroups(
    sources.flatMap((source) => source.groups()),
    query,
  );
  return ranked.flatMap(({ items }) =>
    items.map(({ id }) => id.replace(/^choose:/, '').replace(/:[0-9a-f-]{36}$/, '')),
  );
}

const PAIRS = [
  ['deploy', 'deactivate', 'deploy|publish|release|go live|部署|发布'],
  ['deactivate', 'resume', 'deactivate|take down|unpublish|turn off|switch off|停用|下线|下架|取消发布'],
  ['deactivate', 'deploy', 'unpublish|offline|取消发布|下线'],
  ['resume', 'deactivate', 'activate|reactivate|enable|restore|turn on|启用|启动|恢复'],
  ['pause', 'endPause', 'pause|bypass|pause protection|turn off protection|暂停|暂停防护|关闭防护'],
  ['endPause', 'pause', 'end pause|protect again|resume protection|结束暂停|恢复防护|开启防护'],
  ['ban-addresses', 'unban-addresses', 'ban|block address|封禁|拉黑'],
  ['unban-addresses', 'ban-addresses', 'unban|lift|解封|解除封禁'],
  ['allow-addresses', 'ban-addresses', 'allowlist|trust|加白|信任'],
  ['add-domain', 'delete', 'add|onboard|添加|新建'],
  ['delete', 'add-domain', 'delete|remove|删除|移除'],
  ['discard', 'deploy', 'discard|undo changes|丢弃草稿|放弃更改'],
] as const;

/** What people type for the plainest things, whichever language the console is in. */
const USUAL = [
  ['add-domain', 'add domain|add a domain|new domain|create domain|添加域名|新建域名|创建域名|新增域名'],
  ['delete', 'delete domain|delete a domain|remove domain|删除域名'],
  ['deploy', 'deploy|publish|部署|部署域名|发布域名'],
  ['deactivate', 'deactivate|停用域名|下线域名'],
  ['resume', 'resume|恢复域名|启用域名'],
  ['clone', 'clone|clone domain|克隆域名'],
  ['find-domains', 'find domains|find a list|查找域名|搜索域名|批量查找'],
  ['export', 'export|导出域名'],
  ['attack', 'under attack|攻击模式|攻击防御模式'],
  ['screen:/domain/list', 'domains|域名列表'],
  ['screen:/domain/import', 'import|import domains|导入域名|批量导入'],
  ['screen:/user/info?tab=audit', 'audit log|审计日志'],
  ['screen:/user/info', 'account|profile|账号'],
  ['plan', 'upgrade|plan|quota|subscription|套餐|升级|升级套餐|额度|订阅'],
  ['upstreams', 'origin|添加源站|换源站|更换源站|change origin'],
  ['overview', 'websocket|ipv6|IPv6|开启 ipv6'],
  ['screen:/user/info', 'time zone|timezone|时区|users|用户'],
  ['attack', 'attacked|under attack|被攻击|遭到攻击'],
  ['deactivate', 'stop|shut down|停机'],
  ['export', 'csv'],
  ['copyCname', 'cname'],
  ['shadow-domains', 'alias'],
] as const;

describe.each(['en', 'zh'] as const)('usual phrases, in %s', (locale) => {
  beforeEach(() => setLocale(locale));

  it.each(USUAL)('find %s: %s', async (action, typed) => {
    for (const query of typed.split('|')) expect((await listed(query, undefined)).slice(0, 3), query).toContain(action);
  });
});

describe.each(['en', 'zh'] as const)('the words of an action, in %s', (locale) => {
  beforeEach(() => setLocale(locale));

  it.each(PAIRS)('find %s first, and not %s beside it: %s', async (action, opposite, typed) => {
    for (const query of typed.split('|'))
      for (const open of [undefined, { is_paused: false }, { is_paused: true }]) {
        const found = (await listed(query, open)).filter((id) => !id.startsWith('screen:'));
        expect(found[0], query).toBe(action);
        expect(found.slice(0, 3), query).not.toContain(opposite);
      }
  });
});
