// @vitest-environment happy-dom
import type { Route } from '@cordon/contract';
import { QueryClient } from '@tanstack/react-query';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { rankGroups } from '../../../app/palette/rank';
import { domainKeys } from '../../../domain/data/keys';
import { forgetDomain, rememberDomain } from '../../../domain/data/recent-domains';
import { sampleRoute } from '../../../domain/testing/sample-route';
import { loadDomainSource } from './domain-source';

const { api, client } = vi.hoisted(() => ({
  api: { listRoutes: vi.fn() },
  client: { current: undefined as unknown as QueryClient },
}));
vi.mock('../../../app/api-client', () => ({
  api,
  get queryClient() {
    return client.current;
  },
}));
// Whose the domains are that were opened last.
vi.mock('../../../app/session/session', async (load) => ({
  ...(await load<object>()),
  getSession: () => ({ claims: { sub: 'me' } }),
}));
vi.mock('../../../app/intl-store', async () => {
  const { default: commands } = await import('./locales/en.json');
  const { default: domain } = await import('../../../domain/locales/en.json');
  const { default: health } = await import('../../../domain/health/locales/en.json');
  return { getIntl: () => ({ locale: 'en', messages: { commands, domain, health } }), needCatalogs: async () => {} };
});

const dialogs = { ActionDialog: () => null, GroupsDialog: () => null };

beforeEach(() => {
  window.location.hash = '';
  client.current = new QueryClient();
  api.listRoutes.mockReset();
});

it('finds the domains for the second who asks the same, though the first gave up', async () => {
  api.listRoutes.mockImplementation(
    ({ signal }: { signal: AbortSignal }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        setTimeout(() => resolve({ results: [sampleRoute()] }), 20);
      }),
  );
  const source = await loadDomainSource(dialogs);
  const gaveUp = new AbortController();
  const first = source.search?.('shop', gaveUp.signal).catch(() => undefined);
  gaveUp.abort();
  const second = await source.search?.('shop', new AbortController().signal);
  await first;
  expect(second?.find(({ id }) => id === 'domains')?.items).toHaveLength(1);
  expect(api.listRoutes).toHaveBeenCalledTimes(1);
});

it('offers a domain that a list has shown also in the choice after a command, and after a verb, without its accents', async () => {
  const name = { domain_name: 'xn--bcher-kva.example', domain_name_unicode: 'bücher.example' };
  client.current.setQueryData(domainKeys.list({ page: 1 }), { results: [sampleRoute(name)] });
  // Which knows letters only as they are written.
  api.listRoutes.mockResolvedValue({ results: [] });
  const source = await loadDomainSource(dialogs);
  const { page } =
    source
      .groups()
      .flatMap(({ items }) => items)
      .find(({ id }) => id === 'choose:versions') ?? {};
  const { signal } = new AbortController();
  const labels = (groups: Awaited<ReturnType<NonNullable<typeof source.search>>> | undefined) =>
    groups?.flatMap(({ items }) => items.map(({ label }) => label));
  for (const typed of ['bu', 'bucher', 'bücher', 'xn--bcher'])
    expect(labels(await page?.find(typed, signal)), typed).toEqual(['bücher.example']);
  expect(labels(await page?.find('shop', signal))).toEqual([]);
  expect(labels(await source.search?.('versions bucher', signal))).toEqual(['History of bücher.example']);
});

it('lists a domain by its name before one whose CNAME happens to have the letters', async () => {
  const named = sampleRoute({ id: 'b', domain_name: 'xn--bcher-kva.example', domain_name_unicode: 'bücher.example' });
  const other = sampleRoute({ id: 'a', cname: 'xbu7k2.vip01.edge.cordon.test' });
  client.current.setQueryData(domainKeys.list({ page: 1 }), { results: [other, named] });
  api.listRoutes.mockResolvedValue({ results: [other] });
  const source = await loadDomainSource(dialogs);
  const groups = await source.search?.('bu', new AbortController().signal);
  const domains = groups?.find(({ id }) => id === 'domains')?.items;
  expect(domains?.map(({ label }) => label)).toEqual(['bücher.example', other.domain_name_unicode]);
});

describe('of many domains with the word', () => {
  const named = (name: string, more: object = {}) =>
    sampleRoute({ id: name, domain_name: name, domain_name_unicode: name, remarks: '', ...more });
  const long = Array.from({ length: 60 }, (_, index) => named(`checkout.customer-shop-${100 + index}.example.com`));
  const others = [named('pay.shop.example'), named('shop.demo.example')];
  /** As the API answers: by name, a page at a time, a dot at the end for the end of a label. */
  const answer = async ({ query: { q = '', perpage } }: { query: { q?: string; perpage: number } }) => {
    const all = [...long, ...others].filter(({ domain_name }) => domain_name.includes(q));
    return { results: all.slice(0, perpage), count: all.length };
  };
  const listed = async (typed: string) => {
    const source = await loadDomainSource(dialogs);
    const found = await source.search?.(typed, new AbortController().signal);
    return rankGroups(source.groups(), typed, found).find(({ id }) => id === 'domains')?.items ?? [];
  };
  beforeEach(() => {
    api.listRoutes.mockImplementation(answer);
  });

  it('lists first the one that begins with it, then the label that does, though the API has others first', async () => {
    const labels = (await listed('shop')).map(({ label }) => label);
    expect(labels.slice(0, 3)).toEqual(['shop.demo.example', 'pay.shop.example', long[0]?.domain_name]);
  });

  it('keeps that order where one opened last only has the word', async () => {
    rememberDomain(named('old-shop.example'));
    const labels = (await listed('shop')).map(({ label }) => label);
    expect(labels.slice(0, 3)).toEqual(['shop.demo.example', 'pay.shop.example', 'old-shop.example']);
    forgetDomain('old-shop.example');
  });

  it('says last how many more there are, and leads to the list with the search', async () => {
    const last = (await listed('shop')).at(-1);
    expect(last?.label).toBe('54 more in the list of domains');
    const go = vi.fn();
    last?.run?.({ go, show: vi.fn() });
    expect(go).toHaveBeenCalledWith('/domain/list?q=shop');
    expect((await listed('demo')).map(({ label }) => label)).toEqual(['shop.demo.example']);
  });

  it('does not list them for letters that lie apart in them', async () => {
    client.current.setQueryData(domainKeys.list({ page: 1 }), { results: long });
    for (const typed of ['csv', 'cname', 'alias']) expect(await listed(typed), typed).toEqual([]);
  });
});

it('tells what is wrong with a domain as the list does, also of one opened last, and nothing of one that is well', async () => {
  const finding = { check: 'ownership', finding: 'no_record', state: 'error', params: {}, since: null };
  const health = { state: 'error', findings: [finding, finding], looked_at: null } as unknown as Route['health'];
  const ill = sampleRoute({ id: 'ill', domain_name: 'ill.example', domain_name_unicode: 'ill.example', health });
  const well = sampleRoute({
    id: 'well',
    domain_name: 'well.example',
    domain_name_unicode: 'well.example',
    remarks: '',
  });
  const never = { ...finding, check: 'service', finding: 'never_deployed', state: 'warning' };
  const off = sampleRoute({
    id: 'off',
    domain_name: 'off.example',
    domain_name_unicode: 'off.example',
    health: { state: 'off', findings: [never], looked_at: null } as unknown as Route['health'],
  });
  const deaf = { ...finding, check: 'upstream', finding: 'none_answers', advice: 'change_protocol' };
  const wrong = sampleRoute({
    id: 'wrong',
    domain_name: 'wrong.example',
    domain_name_unicode: 'wrong.example',
    health: { state: 'error', findings: [deaf], looked_at: null } as unknown as Route['health'],
  });
  rememberDomain(ill);
  client.current.setQueryData(domainKeys.list({ page: 1 }), { results: [ill, off, well, wrong] });
  const source = await loadDomainSource(dialogs);
  const shown = rankGroups(source.groups(), 'example').find(({ id }) => id === 'domains')?.items;
  expect(shown?.map(({ label, hint, hintTone }) => [label, hint, hintTone])).toEqual([
    ['ill.example', 'No DNS record +1', 'danger'],
    ['off.example', 'Not deployed', 'neutral'],
    ['well.example', undefined, undefined],
    ['wrong.example', 'Wrong protocol', 'danger'],
  ]);
  forgetDomain('ill');
});

it('says of a domain that is being deployed that it is busy, not that there is nothing to deploy', async () => {
  const operation = { id: 'x', action: 'deploy', state: 'running', started_at: '', finished_at: null, error: null };
  const busy = sampleRoute({ id: 'busy', operation: operation as Route['operation'] });
  api.listRoutes.mockResolvedValue({ results: [busy, sampleRoute({ id: 'done' })] });
  const source = await loadDomainSource(dialogs);
  const found = await source.search?.('deploy www', new AbortController().signal);
  const hints = new Map(found?.flatMap(({ items }) => items.map(({ id, hint }) => [id, hint] as const)));
  expect(hints.get('deploy:busy')).toBe('another action is running');
  expect(hints.get('deploy:done')).toBe('nothing to deploy');
});

it.each([
  [{ ok: 6, warning: 0, error: 0, off: 1 }, false],
  [{ ok: 5, warning: 1, error: 0, off: 1 }, true],
  [undefined, true],
] as const)('offers to resume protection only where a domain may be paused: %j', async (counts, isOffered) => {
  if (counts) client.current.setQueryData(domainKeys.health(), { counts });
  const source = await loadDomainSource(dialogs);
  const labels = source.groups().flatMap(({ items }) => items.map(({ label }) => label));
  expect(labels).toContain('Pause protection…');
  expect(labels.includes('Resume protection…')).toBe(isOffered);
});

describe('the words of what can be done', () => {
  /** What the palette lists first for a query, with the open domain `shop.example`. */
  async function first(query: string) {
    const route = sampleRoute({ domain_name: 'shop.example', domain_name_unicode: 'shop.example' });
    client.current.setQueryData(domainKeys.route(route.id), route);
    window.location.hash = `#/domain/list/${route.id}`;
    api.listRoutes.mockImplementation(async ({ query: { q } }: { query: { q?: string } }) => ({
      results: q === undefined || route.domain_name.includes(q) || route.cname.includes(q) ? [route] : [],
    }));
    const source = await loadDomainSource(dialogs);
    const found = await source.search?.(query, new AbortController().signal);
    return rankGroups(source.groups(), query, found)[0]?.items[0]?.label;
  }

  it.each([
    ['pending', 'Domains with pending changes'],
    ['attack', 'Under Attack mode for shop.example'],
    ['under attack', 'Under Attack mode for shop.example'],
    ['help', undefined],
    ['copy', 'Copy the CNAME of shop.example'],
    ['copy settings', 'Clone shop.example'],
    ['timeout', 'Diagnose · shop.example'],
    ['超时', 'Diagnose · shop.example'],
    ['主机头', 'Upstreams · shop.example'],
    ['wildcard', 'Aliases · shop.example'],
    ['待部署', 'Domains with pending changes'],
    ['test attack', 'Protection · shop.example'],
    ['测试攻击', 'Protection · shop.example'],
    ['pause', 'Pause protection of shop.example'],
    ['暂停', 'Pause protection of shop.example'],
    ['pause shop', 'Pause protection of shop.example'],
    ['停用', 'Deactivate shop.example'],
    ['stop shop', 'Pause protection of shop.example'],
    ['stop', 'Pause protection of shop.example'],
    ['disable', 'Pause protection of shop.example'],
    ['temporarily', 'Pause protection of shop.example'],
    ['shop history', 'History of shop.example'],
    ['shop deploy', 'Deploy shop.example'],
    ['trace', 'Trace a request to shop.example'],
    ['追踪', 'Trace a request to shop.example'],
    ['ip restriction', 'Access · shop.example'],
    ['country restriction', 'Access · shop.example'],
    ['request limit', 'Protection · shop.example'],
    ['response headers', 'Headers · shop.example'],
    ['origin host header', 'Upstreams · shop.example'],
    ['discard draft', 'Discard a draft…'],
    ['丢弃草稿', 'Discard a draft…'],
    ['history', 'History of shop.example'],
    ['历史记录', 'History of shop.example'],
    ['还原版本', 'History of shop.example'],
    ['compare', 'Compare shop.example with another domain'],
    ['delete', 'Delete shop.example'],
    ['删除', 'Delete shop.example'],
    ['克隆', 'Clone shop.example'],
    ['分组', 'Manage groups'],
    ['export', 'Export domains as CSV'],
    ['导出', 'Export domains as CSV'],
    ['needs fixing', 'Domains that need fixing'],
    ['需处理', 'Domains that need fixing'],
    ['备注', 'Overview · shop.example'],
    ['whitelist', 'Access · shop.example'],
    ['白名单', 'Access · shop.example'],
    ['shop origin', 'Upstreams · shop.example'],
    ['源站 shop', 'Upstreams · shop.example'],
    ['ssl', 'Certificate of shop.example'],
    ['证书', 'Certificate of shop.example'],
    ['https', 'Certificate of shop.example'],
    ['certificate', 'Certificate of shop.example'],
    ['purge', 'Clear the cache of shop.example'],
    ['清除缓存', 'Clear the cache of shop.example'],
    ['cache', 'Caching · shop.example'],
    ['缓存', 'Caching · shop.example'],
    ['api key', undefined],
    ['force https', 'SSL · shop.example'],
    ['强制 https', 'SSL · shop.example'],
    ['重定向', 'Upstreams · shop.example'],
    ['logs', 'Overview · shop.example'],
    ['访问日志', 'Overview · shop.example'],
    ['unblock', 'Access · shop.example'],
    ['block ip', 'Access · shop.example'],
    ['封ip', 'Access · shop.example'],
    ['屏蔽国家', 'Access · shop.example'],
    ['ddos', 'Under Attack mode for shop.example'],
    ['防cc', 'Protection · shop.example'],
    ['跨域', 'Headers · shop.example'],
    ['打不开', 'Diagnose · shop.example'],
    ['turn off', 'Deactivate shop.example'],
    ['rollback', 'History of shop.example'],
    ['站点', 'Add a domain'],
    ['k3v9x2m4', 'shop.example'],
    ['example', 'shop.example'],
  ])('%s leads to: %s', async (query, label) => {
    expect(await first(query)).toBe(label);
  });

  it('are choosers of a domain while none is open, and no tab stands there before it is asked for', async () => {
    api.listRoutes.mockResolvedValue({ results: [] });
    const source = await loadDomainSource(dialogs);
    const labels = (query: string) =>
      rankGroups(source.groups(), query).flatMap(({ items }) => items.map(({ label }) => label));
    expect(labels('waf')[0]).toBe('Protection…');
    expect(labels('attack')[0]).toBe('Under Attack mode…');
    expect(labels('under attack')[0]).toBe('Under Attack mode…');
    expect(labels('copy')[0]).toBe('Copy the CNAME of…');
    expect(labels('')).not.toContain('Protection…');
  });
});

describe('what cannot be done now', () => {
  const stopped = sampleRoute({
    domain_name: 'shop.example',
    domain_name_unicode: 'shop.example',
    status: 'deactivated',
  });

  it.each([
    ['deploy shop', 'deploy', sampleRoute({ domain_name: 'shop.example', pending_changes: 0 }), 'nothing to deploy'],
    ['pause shop', 'pause', stopped, 'not possible now'],
    ['under attack shop', 'attack', stopped, 'not possible now'],
  ])('%s says so, and does nothing', async (query, command, route, hint) => {
    api.listRoutes.mockResolvedValue({ results: [route] });
    const source = await loadDomainSource(dialogs);
    const found = await source.search?.(query, new AbortController().signal);
    const item = found?.flatMap(({ items }) => items).find(({ id }) => id === `${command}:${route.id}`);
    expect([item?.disabled, item?.hint]).toEqual([true, hint]);
  });

  it('is not offered for the open domain', async () => {
    client.current.setQueryData(domainKeys.route(stopped.id), stopped);
    window.location.hash = `#/domain/list/${stopped.id}`;
    const source = await loadDomainSource(dialogs);
    const here = source.groups().find(({ id }) => id === 'here');
    const ids = here?.items.map(({ id }) => id.split(':')[0]);
    expect(ids).toContain('resume');
    for (const command of ['pause', 'attack', 'deactivate']) expect(ids).not.toContain(command);
  });
});

it.each([
  ['clearCache', 'clear'],
  ['prefetch', 'prefetch'],
  ['tryUrl', 'try'],
  ['development', 'development'],
])('leads with %s to its panel of the tab', async (command, panel) => {
  const route = sampleRoute();
  api.listRoutes.mockResolvedValue({ results: [route], count: 1 });
  window.location.hash = `#/domain/list/${route.id}`;
  client.current.setQueryData(domainKeys.route(route.id), route);
  const source = await loadDomainSource(dialogs);
  const item = source
    .groups()
    .flatMap(({ items }) => items)
    .find(({ id }) => id === `${command}:${route.id}`);
  const go = vi.fn();
  await item?.run?.({ go, show: () => undefined });
  expect(go).toHaveBeenCalledExactlyOnceWith(`/domain/list/${route.id}?tab=caching&panel=${panel}`);
});
