// @vitest-environment happy-dom
import { ApiError } from '@cordon/contract';
import { findDefinition } from '@cordon/plugins/definitions';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { renderDomains } from '../testing/render-domains';
import { sampleConfig, sampleRoute } from '../testing/sample-route';
import { usePluginWords } from '../words/plugin-words';
import type { PluginConfig } from './plugin-fields';
import PluginSheet from './plugin-sheet';

const api = vi.hoisted(() => ({ updateRoute: vi.fn(), getRoute: vi.fn() }));
vi.mock('../../app/api-client', () => ({ api, queryClient: { setQueryData: vi.fn(), invalidateQueries: vi.fn() } }));
beforeEach(() => {
  api.updateRoute.mockReset();
});

const route = sampleRoute({ draft: sampleConfig() });
function Sheet({ name, config }: { name: string; config: PluginConfig }) {
  const words = usePluginWords();
  const definition = findDefinition(name);
  if (!words || !definition) return null;
  return (
    <PluginSheet
      route={route}
      definition={definition}
      words={words(name)}
      proposed={config}
      open
      onOpenChange={vi.fn()}
    />
  );
}

async function open(name: string, config: PluginConfig, locale: 'en' | 'zh') {
  await renderDomains(<Sheet name={name} config={config} />, locale);
  const sheet = await screen.findByRole('dialog');
  await waitFor(() => expect(sheet.querySelectorAll('input, li').length).toBeGreaterThan(1));
  // What is wrong inside a rule is said once it is open.
  for (const closed of sheet.querySelectorAll('li button[aria-expanded=false]')) fireEvent.click(closed);
}
const save = (locale: 'en' | 'zh') =>
  userEvent
    .setup({ delay: null })
    .click(screen.getByRole('button', { name: locale === 'en' ? 'Save as draft' : '保存为草稿' }));

const textOf = (id: string) => document.getElementById(id)?.textContent ?? '';
const labelOf = (field: HTMLElement) =>
  field.getAttribute('aria-label') ??
  field.getAttribute('aria-labelledby')?.split(' ').map(textOf).join(' ') ??
  (field as HTMLInputElement).labels?.[0]?.textContent ??
  '';
/** What is said at the field; of a list, what is said of its entries. */
function wordsAt(field: HTMLElement): string {
  const error = field
    .getAttribute('aria-describedby')
    ?.split(' ')
    .find((id) => id.endsWith('-error'));
  if (error !== undefined) return textOf(error);
  let around = field.parentElement;
  while (around && !around.querySelector('ul code')) around = around.parentElement;
  return around?.querySelector('ul code')?.closest('ul')?.textContent ?? '';
}
/** Each wrong field with what is said at it. */
const faults = () =>
  [...document.querySelectorAll<HTMLElement>('[role=dialog] [aria-invalid=true]')].map((field) => [
    labelOf(field).replace(' *', ''),
    wordsAt(field),
  ]);

const rule = (name: string, condition: object) => ({
  name,
  action: 'block',
  enabled: true,
  when: { match: 'all', not: false, conditions: [{ not: false, ...condition }] },
});
const header = (name: string, value = '1') => ({ name, value });
const path = { field: 'path', test: 'is', ignore_case: false };
interface Refused {
  name: string;
  config: PluginConfig;
  /** Label and words of each wrong field. */
  en: readonly (readonly [string, string])[];
  zh: readonly (readonly [string, string])[];
}
const CACHED = {
  cache_paths: ['/static'],
  cache_postfixes: ['css'],
  cache_ttl: 7200,
  response_code: [200],
  request_method: ['GET'],
  bypass_rules: [],
  cache_reusable: true,
  cache_control: [],
  cache_control_response_override: false,
  key: { query: 'all', query_names: [], sort_query: false, by_device: false, languages: [] },
};
const REFUSED: readonly Refused[] = [
  {
    name: 'advance-proxy-cache',
    config: {
      enable_cache_control: false,
      global_default_caching: true,
      global_custom_caching: true,
      global_disable_cache_completely: false,
      content_type: ['css', 'pdf'],
      cache_ttl: 7200,
      response_code: [200],
      request_method: ['GET'],
      bypass_rules: [{ on: 'header', name: 'X Y', pattern: '' }],
      cache_reusable: true,
      key: { query: 'all', query_names: [], sort_query: false, by_device: false, languages: [] },
    },
    en: [
      ['How responses are cached', 'Only one of the three can be turned on.'],
      ['Content types', 'pdf: Enter css, javascript, a family such as image, or a type such as application/pdf.'],
      [
        'Header name',
        'Use letters, digits and hyphens only, such as X-Api-Version. Headers with other names are dropped.',
      ],
    ],
    zh: [
      ['缓存方式', '三者只能开启一个。'],
      ['内容类型', 'pdf：请填写 css、javascript、image 这样的大类，或 application/pdf 这样的类型。'],
      ['请求头名称', '只能使用字母、数字和连字符，例如 X-Api-Version。其他请求头会被丢弃。'],
    ],
  },
  {
    name: 'proxy-cache',
    config: {
      ...CACHED,
      cache_paths: ['static'],
      cache_ttl: 0,
      response_code: [200, 901],
      cache_control: ['public', 'private', 'max-age'],
    },
    en: [
      ['Paths', 'static: A path must start with /.'],
      ['Default cache time', 'Enter 1 second to 365 days.'],
      ['Status codes', '901: Not a valid status code: it must be 100 to 900.'],
      [
        'Directives',
        'private: public and private cannot be combined.max-age: max-age needs a number of seconds, such as max-age=3600.',
      ],
    ],
    zh: [
      ['路径', 'static：路径必须以 / 开头。'],
      ['默认缓存时间', '最短 1 秒，最长 365 天。'],
      ['状态码', '901：状态码无效：必须为 100 至 900。'],
      ['指令', 'private：public 与 private 不能同时使用。max-age：max-age 需要秒数，例如 max-age=3600。'],
    ],
  },
  {
    name: 'proxy-cache',
    config: {
      ...CACHED,
      cache_control: ['max-age=1', 'max-age=2'],
      bypass_rules: [{ on: 'path', pattern: '(' }],
      key: { ...CACHED.key, query: 'only', languages: ['english!'] },
    },
    en: [
      [
        'Regular expression',
        'Incomplete pattern: ( at position 1 is unmatched. For the character itself, write a backslash before it.',
      ],
      ['Directives', 'max-age=2: max-age is already in the list.'],
      ['Parameters', 'Enter at least one parameter, or choose another option above.'],
      ['Separate copies by language', 'english!: Not a language tag. Enter it like en or zh-CN.'],
    ],
    zh: [
      ['正则表达式', '正则表达式不完整：第 1 位的 ( 没有配对。如需匹配该字符本身，请在其前加反斜杠。'],
      ['指令', 'max-age=2：列表中已有 max-age。'],
      ['参数', '请至少填写一个参数，或在上方选择其他选项。'],
      ['按语言分别缓存', 'english!：这不是语言标签，请写成 en 或 zh-CN 的形式。'],
    ],
  },
  {
    name: 'geoip',
    config: {
      mode: 'Blacklist',
      blacklist_countries: [],
      whitelist_countries: [],
      whitelist_ips: ['1.1.1.1/0'],
      combine_geoip: false,
    },
    en: [
      ['Blocked countries', 'Choose at least one country.'],
      ['IPs that are always allowed', '1.1.1.1/0: A /0 mask is not allowed: it would mean the whole Internet'],
    ],
    zh: [
      ['拦截的国家和地区', '请至少选择一个国家或地区。'],
      ['始终放行的 IP', '1.1.1.1/0：不允许 /0 掩码：它表示整个互联网'],
    ],
  },
  {
    name: 'geoip',
    config: {
      mode: 'Whitelist',
      blacklist_countries: [],
      whitelist_countries: ['XX'],
      whitelist_ips: [],
      combine_geoip: false,
    },
    en: [['Allowed countries', 'XX is not a country code. Choose countries from the list.']],
    zh: [['允许的国家和地区', 'XX 不是国家或地区代码，请从列表中选择。']],
  },
  {
    name: 'seclink',
    config: { path: '^/(a', api_secret: 'sixteen characters', sleep_seconds: 61, expire_seconds: 604_801 },
    en: [
      [
        'Paths that need a signed link',
        'Incomplete pattern: ( at position 3 is unmatched. For the character itself, write a backslash before it.',
      ],
      ['Secret', 'Use only ASCII letters, digits and punctuation, without spaces.'],
      ['Wait', 'Enter a whole number from 0 to 60.'],
      ['Valid for', 'Enter 1 second to 7 days.'],
    ],
    zh: [
      ['需要签名链接的路径', '正则表达式不完整：第 3 位的 ( 没有配对。如需匹配该字符本身，请在其前加反斜杠。'],
      ['密钥', '只能使用 ASCII 字母、数字和符号，不能有空格。'],
      ['等待', '请输入 0 到 60 之间的整数。'],
      ['有效期', '最短 1 秒，最长 7 天。'],
    ],
  },
  {
    name: 'seclink',
    config: { path: '', api_secret: 'short', sleep_seconds: 60, expire_seconds: 60 },
    en: [
      ['Paths that need a signed link', 'Required'],
      ['Secret', 'Enter at least 16 characters'],
      ['Valid for', 'A link must be valid for longer than visitors wait (60 s).'],
    ],
    zh: [
      ['需要签名链接的路径', '必填'],
      ['密钥', '至少输入 16 个字符'],
      ['有效期', '链接有效期须长于访客的等待时间（60 秒）。'],
    ],
  },
  {
    name: 'challenge',
    config: { mode: 'js', path: '^/(a', pass_time: '4m' },
    en: [
      [
        'Paths',
        'Incomplete pattern: ( at position 3 is unmatched. For the character itself, write a backslash before it.',
      ],
      ['Ask again after', 'At least 5 minutes.'],
    ],
    zh: [
      ['路径', '正则表达式不完整：第 3 位的 ( 没有配对。如需匹配该字符本身，请在其前加反斜杠。'],
      ['验证有效期', '不能短于 5 分钟。'],
    ],
  },
  {
    name: 'crowdsec-captcha',
    config: { mode: 'js', maxretry: 1, findtime: 3601, bantime: '31d' },
    en: [
      ['Requests', 'Enter a whole number from 2 to 1,000,000.'],
      ['Within', 'Enter 1 second to 1 hour.'],
      ['Challenge for', 'At most 30 days.'],
    ],
    zh: [
      ['触发阈值（次）', '请输入 2 到 1,000,000 之间的整数。'],
      ['统计周期', '最短 1 秒，最长 1 小时。'],
      ['验证持续时长', '不能长于 30 天。'],
    ],
  },
  {
    name: 'request-limit',
    config: { banpath: '^/(a', maxretry: 1, findtime: 3601, bantime: '9s', only_dynamic: false },
    en: [
      [
        'Paths to count',
        'Incomplete pattern: ( at position 3 is unmatched. For the character itself, write a backslash before it.',
      ],
      ['Requests', 'Enter a whole number from 2 to 1,000,000.'],
      ['Within', 'Enter 1 second to 1 hour.'],
      ['Ban duration', 'At least 10 seconds.'],
    ],
    zh: [
      ['统计路径', '正则表达式不完整：第 3 位的 ( 没有配对。如需匹配该字符本身，请在其前加反斜杠。'],
      ['触发阈值（次）', '请输入 2 到 1,000,000 之间的整数。'],
      ['统计周期', '最短 1 秒，最长 1 小时。'],
      ['封禁时长', '不能短于 10 秒。'],
    ],
  },
  {
    name: 'ban',
    config: { default_timeout: 9 },
    en: [['Default duration', 'At least 10 seconds.']],
    zh: [['默认封禁时长', '不能短于 10 秒。']],
  },
  {
    name: 'blackrules',
    config: {
      black_rules: [
        rule('A', { ...path, values: ['admin'] }),
        rule('B', { ...path, test: 'contains', values: ['/a//b'] }),
        rule('A', { field: 'path', test: 'matches', pattern: '(' }),
        rule('C', { field: 'country', values: ['XX'] }),
        rule('D', { field: 'asn', values: [] }),
      ],
    },
    en: [
      ['Values (any of them)', 'admin: A path must start with /. To match any part of it, use “contains”.'],
      ['Values (any of them)', '/a//b: Slashes in a row count as one: write a single /.'],
      ['Rule name', 'Another rule is called A. Use a different name.'],
      [
        'Regular expression',
        'Incomplete pattern: ( at position 1 is unmatched. For the character itself, write a backslash before it.',
      ],
      ['Values (any of them)', 'XX is not a country code. Choose countries from the list.'],
      ['Values (any of them)', 'Enter at least one value'],
    ],
    zh: [
      ['值（满足任一）', 'admin：路径必须以 / 开头。如需匹配其中任意部分，请使用“包含”。'],
      ['值（满足任一）', '/a//b：连续的斜杠按一个处理，请只写一个 /。'],
      ['规则名称', '已有名为 A 的规则，请使用不同的名称。'],
      ['正则表达式', '正则表达式不完整：第 1 位的 ( 没有配对。如需匹配该字符本身，请在其前加反斜杠。'],
      ['值（满足任一）', 'XX 不是国家或地区代码，请从列表中选择。'],
      ['值（满足任一）', '请至少输入一个值'],
    ],
  },
  {
    name: 'custom-header',
    config: { add: { headers: [header('X Wrong'), header('X-A'), header('x-a', '你'), header('Host')] } },
    en: [
      ['Name, row 1', 'Use letters, digits, underscores and hyphens only, such as X-Environment.'],
      ['Name, row 3', 'x-a is already in the list.'],
      ['Value, row 3', 'Use printable ASCII characters on one line; encode anything else, for example as %E4%BD%A0.'],
      ['Name, row 4', 'Host is set by the service or by the connection, and cannot be changed here.'],
    ],
    zh: [
      ['名称，第 1 行', '只能使用字母、数字、下划线和连字符，例如 X-Environment。'],
      ['名称，第 3 行', '列表中已有 x-a。'],
      ['值，第 3 行', '只能使用单行的可打印 ASCII 字符；其他字符请先编码，例如 %E4%BD%A0。'],
      ['名称，第 4 行', 'Host 由本平台或连接本身设置，无法在此更改。'],
    ],
  },
  {
    name: 'custom-header',
    config: { add: { headers: [] } },
    en: [['Name, row 1', 'Add at least one header.']],
    zh: [['名称，第 1 行', '请至少添加一个请求头。']],
  },
  {
    name: 'response-transformer',
    config: { add: { headers: [header('X Wrong'), header('X-A'), header('x-a', '你'), header('Connection')] } },
    en: [
      ['Name, row 1', 'Use letters, digits, underscores and hyphens only, such as X-Environment.'],
      ['Name, row 3', 'x-a is already in the list.'],
      ['Value, row 3', 'Use printable ASCII characters on one line; encode anything else, for example as %E4%BD%A0.'],
      [
        'Name, row 4',
        'Connection belongs to the response itself or is set by the service, and cannot be changed here.',
      ],
    ],
    zh: [
      ['名称，第 1 行', '只能使用字母、数字、下划线和连字符，例如 X-Environment。'],
      ['名称，第 3 行', '列表中已有 x-a。'],
      ['值，第 3 行', '只能使用单行的可打印 ASCII 字符；其他字符请先编码，例如 %E4%BD%A0。'],
      ['名称，第 4 行', 'Connection 属于响应本身或由本平台设置，无法在此更改。'],
    ],
  },
  {
    name: 'custom-error-page',
    config: { error_401: 'pages.example/401' },
    en: [
      [
        'Unauthorized (401)',
        'Enter the full address of the page, such as https://www.example.org/404.html, without a user name or spaces.',
      ],
    ],
    zh: [['需要登录（401）', '请输入完整的页面地址，例如 https://www.example.org/404.html，不含用户名和空格。']],
  },
  {
    name: 'custom-error-page',
    config: { error_401: null },
    en: [['Not found (404)', 'Enter the address of at least one page.']],
    zh: [['页面不存在（404）', '请至少输入一个页面的地址。']],
  },
];

it.each(
  REFUSED.flatMap(({ name, config, ...said }) =>
    (['en', 'zh'] as const).map((locale) => [locale, name, config, said[locale]] as const),
  ),
)('tells in %s at its field what %s refuses (specification section 5)', async (locale, name, config, said) => {
  await open(name, config, locale);
  await save(locale);
  await waitFor(() => expect(faults()).toEqual(said));
  expect(api.updateRoute).not.toHaveBeenCalled();
});

it.each([
  ['en', 'Google reCAPTCHA is not set up here. Choose another challenge type, or contact support.'],
  ['zh', '本平台尚未配置 Google reCAPTCHA，请选择其他验证方式，或联系客服。'],
] as const)('tells in %s at the type of a challenge that the deployment does not have it', async (locale, words) => {
  const body = {
    success: false,
    code: 'VALIDATION_FAILED',
    message: '',
    'plugins.0.config.mode': 'RECAPTCHA_NOT_SET_UP',
  };
  api.updateRoute.mockRejectedValue(new ApiError(422, 'VALIDATION_FAILED', body as never, ['x']));
  await open('challenge', { mode: 'google_recaptcha', path: '.*', pass_time: '30m' }, locale);
  await save(locale);
  await waitFor(() => expect(screen.getByRole('radiogroup').parentElement?.textContent).toContain(words));
});
