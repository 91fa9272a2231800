// @vitest-environment happy-dom
import { findDefinition } from '@cordon/plugins/definitions';
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderDomains } from '../testing/render-domains';
import { sampleConfig } from '../testing/sample-route';
import { pluginSummary } from '../words/plugin-summary';
import { usePluginWords } from '../words/plugin-words';
import { ChangeList } from './change-list';
import { pluginDefaults } from './plugin-defaults';

vi.mock('../../app/api-client', () => ({ api: {}, queryClient: {} }));

const restriction = (config: Record<string, unknown>) => ({
  ...sampleConfig(),
  plugins: [
    {
      name: 'ip-restriction',
      enabled: true,
      config: { allow: [], deny: [], whitelistMode: false, blacklistMode: true, allow_spiders: true, ...config },
    },
  ],
});

it('says in people’s words what changes: labels, added and removed entries, before and after', async () => {
  const before = restriction({ deny: ['198.51.100.0/24', '203.0.113.7'] });
  const after = {
    ...restriction({ deny: ['203.0.113.7', '192.0.2.0/24'] }),
    upstreams: { ...sampleConfig(['192.0.2.10', '192.0.2.11']).upstreams, protocol: 'https' as const },
  };
  await renderDomains(<ChangeList before={before} after={after} />);
  const plugin = (await screen.findByRole('heading', { name: 'IP restriction' })).closest('section');
  expect(plugin?.textContent).toContain('Blocked IPs');
  expect(plugin?.textContent).toContain('Added:192.0.2.0/24');
  expect(plugin?.textContent).toContain('Removed:198.51.100.0/24');
  expect(plugin?.textContent).not.toContain('203.0.113.7');
  const traffic = screen.getByRole('heading', { name: 'Origin' }).closest('section');
  expect(traffic?.textContent).toContain('Before: HTTP');
  expect(traffic?.textContent).toContain('After: HTTPS');
  expect(traffic?.textContent).toContain('192.0.2.11:443');
  expect(document.body.textContent).not.toMatch(/whitelistMode|upstreams|traffic_action/);
});

it('lists what a plugin held when it leaves the configuration', async () => {
  await renderDomains(<ChangeList before={restriction({ deny: ['198.41.128.7'] })} after={sampleConfig()} />);
  const plugin = (await screen.findByRole('heading', { name: 'IP restriction' })).closest('section');
  expect(plugin?.textContent).toContain('Before: Blocks 1 IP or rangeAfter: off');
  expect(plugin?.textContent).toContain('Removed:198.41.128.7');
  expect(plugin?.querySelectorAll('dt')).toHaveLength(1);
});

it.each([
  ['en', 'Request limit', 'Before: offAfter: 310 requests in 4 minutes ban a visitor for 3 hours'],
  ['zh', '访问频率控制', '之后： 4 分钟内 310 个请求即封禁 3 小时'],
] as const)(
  'says what a plugin with its defaults does to visitors when it is switched on (%s)',
  async (locale, name, said) => {
    const { config } = pluginDefaults('request-limit');
    const after = { ...sampleConfig(), plugins: [{ name: 'request-limit', enabled: true, config: { ...config } }] };
    await renderDomains(<ChangeList before={sampleConfig()} after={after} />, locale);
    const plugin = (await screen.findByRole('heading', { name })).closest('section');
    expect(plugin?.textContent).toContain(said);
  },
);

it('tells of a plugin that is set up what was set, and compares it with no default', async () => {
  const after = {
    ...sampleConfig(),
    plugins: [
      { name: 'request-limit', enabled: true, config: { ...pluginDefaults('request-limit').config, maxretry: 99 } },
    ],
  };
  await renderDomains(<ChangeList before={sampleConfig()} after={after} />);
  const plugin = (await screen.findByRole('heading', { name: 'Request limit' })).closest('section');
  expect(plugin?.textContent).toContain('RequestsAfter: 99');
  expect(plugin?.textContent).not.toContain('310');
});

it('says once that a plugin blocks what was listed: not again by the switch that every new form starts with', async () => {
  await renderDomains(<ChangeList before={sampleConfig()} after={restriction({ deny: ['198.41.128.7'] })} />);
  const plugin = (await screen.findByRole('heading', { name: 'IP restriction' })).closest('section');
  expect([...(plugin?.querySelectorAll('dt') ?? [])].map((one) => one.textContent)).toEqual(['Blocked IPs']);
  expect(plugin?.textContent).toContain('Before: offAfter: Blocks 1 IP or range');
  expect(plugin?.textContent).toContain('Added:198.41.128.7');
});

it('writes numbers as the reader does', async () => {
  const limit = (maxretry: number) => ({
    ...sampleConfig(),
    plugins: [{ name: 'request-limit', enabled: true, config: { maxretry } }],
  });
  await renderDomains(<ChangeList before={limit(310)} after={limit(1000)} />);
  const plugin = (await screen.findByRole('heading', { name: 'Request limit' })).closest('section');
  expect(plugin?.textContent).toContain('RequestsBefore: 310After: 1,000');
});

const countries = (codes: readonly string[]) => ({ mode: 'Blacklist', blacklist_countries: codes });
function Summary() {
  const words = usePluginWords()?.('geoip');
  const definition = findDefinition('geoip');
  return <p>{words && definition && pluginSummary(words, definition, countries(['KP', 'IR']))}</p>;
}

it.each([
  ['en', 'Country restriction', 'Added:North Korea+Added:Iran', 'Blocks North Korea, Iran'],
  ['zh', '地区访问控制', '新增：朝鲜+新增：伊朗', '拦截：朝鲜、伊朗'],
] as const)('names countries in %s, in what changes and in the summary', async (locale, name, changes, summary) => {
  const config = (codes: readonly string[]) => ({
    ...sampleConfig(),
    plugins: [{ name: 'geoip', enabled: true, config: countries(codes) }],
  });
  await renderDomains(
    <>
      <ChangeList before={config(['DE'])} after={config(['DE', 'KP', 'IR'])} />
      <Summary />
    </>,
    locale,
  );
  const plugin = (await screen.findByRole('heading', { name })).closest('section');
  expect(plugin?.textContent).toContain(changes);
  expect(screen.getByText(summary)).toBeTruthy();
});

const rules = (values: readonly string[]) => ({
  ...sampleConfig(),
  plugins: [
    {
      name: 'blackrules',
      enabled: true,
      config: {
        black_rules: [
          {
            name: 'Logins',
            action: 'block',
            enabled: true,
            when: {
              match: 'all',
              not: false,
              conditions: [
                { field: 'path', test: 'begins_with', values, ignore_case: false, not: false },
                {
                  match: 'any',
                  not: false,
                  conditions: [
                    { field: 'country', values: ['DE'], not: false },
                    { field: 'method', values: ['POST'], not: true },
                  ],
                },
              ],
            },
          },
        ],
      },
    },
  ],
});

it.each([
  ['en', 'Logins: block when (Path begins with /a, /b or /c) and (Country is Germany or Method is not POST)'],
  ['zh', 'Logins：（路径前缀为 /a、/b 或 /c）且（国家和地区属于德国 或 请求方法不属于 POST），则拦截'],
] as const)('lets a plugin say what it holds in its own words (%s)', async (locale, sentence) => {
  await renderDomains(<ChangeList before={rules(['/a', '/b', '/d'])} after={rules(['/a', '/b', '/c'])} />, locale);
  expect(await screen.findByText(sentence)).toBeTruthy();
  expect(screen.getByText(sentence.replace('/c', '/d'))).toBeTruthy();
  expect(document.body.textContent).not.toMatch(/conditions|begins_with|ignore_case/);
});

it('says other values by the labels of the plugin', async () => {
  const change = (headers: readonly object[]) => ({
    ...sampleConfig(),
    plugins: [{ name: 'response-transformer', enabled: true, config: { add: { headers } } }],
  });
  await renderDomains(<ChangeList before={change([])} after={change([{ name: 'X-A', value: 'b' }])} />, 'zh');
  const plugin = (await screen.findByText(/X-A/)).closest('section');
  expect(plugin?.textContent).toContain('X-A: b');
  expect(plugin?.textContent).not.toContain('headers');
});

it('speaks Chinese', async () => {
  await renderDomains(
    <ChangeList
      before={restriction({ deny: ['203.0.113.7'] })}
      after={restriction({ deny: ['203.0.113.7', '192.0.2.9'] })}
    />,
    'zh',
  );
  expect(await screen.findByText('新增：')).toBeTruthy();
});

it('folds what is too long to read at once', async () => {
  const deny = Array.from({ length: 30 }, (_, index) => `192.0.2.${index}`);
  await renderDomains(
    <ChangeList
      before={restriction({ deny: ['203.0.113.7'] })}
      after={restriction({ deny: ['203.0.113.7', ...deny] })}
    />,
  );
  expect(await screen.findByText('22 more added')).toBeTruthy();
  expect(screen.getByText('30 added')).toBeTruthy();
  expect(screen.getByText('192.0.2.7').closest('details')).toBeNull();
  expect(screen.getByText(/192\.0\.2\.8\s/).closest('details')).not.toBeNull();
});

it('says when nothing differs', async () => {
  await renderDomains(<ChangeList before={sampleConfig()} after={sampleConfig()} />);
  expect(await screen.findByText('No differences.')).toBeTruthy();
});
