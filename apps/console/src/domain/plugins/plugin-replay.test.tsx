// @vitest-environment happy-dom
import type { PluginEntry, Replay, Route } from '@cordon/contract';
import { findDefinition } from '@cordon/plugins/definitions';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderDomains } from '../testing/render-domains';
import { sampleConfig, sampleRoute } from '../testing/sample-route';
import { usePluginWords } from '../words/plugin-words';
import PluginSheet from './plugin-sheet';

interface Asked {
  readonly plugin: PluginEntry;
  readonly signal: AbortSignal;
  answer(result: Replay): Promise<void>;
  fail(): Promise<void>;
}
const asked: Asked[] = [];
const api = vi.hoisted(() => ({ updateRoute: vi.fn(), getRoute: vi.fn(), replayRequests: vi.fn() }));
vi.mock('../../app/api-client', () => ({ api, queryClient: { setQueryData: vi.fn(), invalidateQueries: vi.fn() } }));

const replay = (more: Partial<Replay> = {}): Replay => ({
  plugin: 'blackrules',
  requests: 10_000,
  is_complete: true,
  from: '2026-01-01T00:00:00.000Z',
  to: '2026-01-01T01:00:00.000Z',
  verdicts: { block: 312, challenge: 0, log: 0, allow: 0, redirect: 0, pass: 9_688, unknown: 0 },
  newly_blocked: 280,
  blocked_elsewhere: 20,
  newly_passed: 5,
  rules: [
    { rule: 'logins', reason: 'rule_matched', verdict: 'block', requests: 300, samples: [] },
    { rule: 'logins', reason: 'rule_in_doubt', verdict: 'block', requests: 12, samples: [] },
    { rule: 'other', reason: 'rule_logged', verdict: 'log', requests: 1, samples: [] },
  ],
  unknown_rules: [],
  unseen: ['header_fields', 'cookies'],
  ...more,
});

const rule = (name: string, values: string[]) => ({
  name,
  action: 'block',
  enabled: true,
  when: {
    match: 'all',
    not: false,
    conditions: [{ field: 'path', test: 'is', values, ignore_case: false, not: false }],
  },
});
const RULES = { black_rules: [rule('logins', ['/login']), rule('other', ['/x'])] };

function Sheet({ name, config, more }: { name: string; config: Record<string, unknown>; more: Partial<Route> }) {
  const words = usePluginWords();
  const [route] = useState<Route>(() => {
    const plugins = [{ name, enabled: true, config }];
    return sampleRoute({ draft: { ...sampleConfig(), plugins }, live: sampleConfig(), ...more });
  });
  const definition = findDefinition(name);
  if (!words || !definition) return null;
  return <PluginSheet route={route} definition={definition} words={words(name)} open onOpenChange={() => {}} />;
}
async function open(
  locale: 'en' | 'zh' = 'en',
  more: Partial<Route> = {},
  name = 'blackrules',
  config: object = RULES,
) {
  await renderDomains(<Sheet name={name} config={config as Record<string, unknown>} more={more} />, locale);
  const dialog = await screen.findByRole('dialog');
  // The form is there.
  await waitFor(() => expect(dialog.querySelector('.skeleton.h-48')).toBeNull());
}
const footer = () => screen.getByRole('dialog').querySelector('footer') as HTMLElement;
const line = () => within(footer()).getByRole('status');
const nameField = () => screen.findByRole('textbox', { name: 'Rule name' });
const openRule = async (name: RegExp) => fireEvent.click(await screen.findByRole('button', { name, expanded: false }));

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] });
  asked.length = 0;
  for (const mock of Object.values(api)) mock.mockReset();
  api.replayRequests.mockImplementation(
    ({ body, signal }: { body: { plugin: PluginEntry }; signal: AbortSignal }) =>
      new Promise((resolve, reject) =>
        asked.push({
          plugin: body.plugin,
          signal,
          answer: async (result) => {
            resolve({ result });
            await rest(10);
          },
          fail: async () => {
            reject(new Error('no'));
            await rest(10);
          },
        }),
      ),
  );
});
afterEach(() => vi.useRealTimers());
const rest = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const first = () => asked[0] as Asked;
const last = () => asked.at(-1) as Asked;

it('says what the settings would have done to recent requests, in all and by rule', async () => {
  await open();
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(first().plugin).toMatchObject({ name: 'blackrules', enabled: true, config: RULES });
  expect(line().querySelector('.skeleton')).not.toBeNull();
  await first().answer(replay());
  expect(line().textContent).toBe(
    'Last 10,000 requests: 312 would be blocked (280 of them were let through, 20 already blocked by other protection), 5 previously blocked would pass.',
  );
  expect(await screen.findByText('312 of the last 10,000 requests')).toBeTruthy();
  expect(screen.getByText('1 of the last 10,000 requests')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'What this cannot check' }));
  expect(screen.getByText(/Not checked: headers other than User-Agent and Referer and cookies/)).toBeTruthy();
});

it.each([
  [1_999, 0, null],
  [2_000, 0, '2,000 of the last 10,000 requests (20%) would be blocked.'],
  [0, 10_000, '10,000 of the last 10,000 requests (100%) would be challenged.'],
  [500, 9_000, '9,500 of the last 10,000 requests (95%) would be blocked or challenged.'],
])('says loudly that %d blocked and %d challenged are a large part of the visitors', async (block, challenge, said) => {
  await open();
  const pass = 10_000 - block - challenge;
  await first().answer(replay({ verdicts: { block, challenge, log: 0, allow: 0, redirect: 0, pass, unknown: 0 } }));
  expect(line().textContent).toMatch(/10,000 requests/i);
  expect(line().querySelector('strong')?.textContent ?? null).toBe(said);
});

it.each([
  [
    'en',
    7,
    12,
    3,
    '7 would be blocked, 12 would be challenged, 3 would be redirected, 5 previously blocked would pass.',
  ],
  ['en', 0, 12, 0, '12 would be challenged, 5 previously blocked would pass.'],
  ['en', 0, 0, 3, '3 would be redirected, 5 previously blocked would pass.'],
  ['en', 0, 0, 0, 'all would pass, 5 of them were blocked until now.'],
  ['zh', 7, 12, 0, '7 个会被拦截，12 个须通过人机验证，5 个当时被拦截的会放行。'],
  ['zh', 0, 12, 0, '12 个须通过人机验证，5 个当时被拦截的会放行。'],
  ['zh', 0, 0, 0, '全部会放行，其中 5 个当时被拦截。'],
] as const)(
  'says in %s of %d blocked, %d challenged and %d redirected only what there is',
  async (locale, block, challenge, redirect, said) => {
    await open(locale);
    const pass = 10_000 - block - challenge - redirect;
    const verdicts = { block, challenge, log: 0, allow: 0, redirect, pass, unknown: 0 };
    await first().answer(replay({ verdicts, newly_blocked: 0, blocked_elsewhere: 0 }));
    expect(line().textContent?.split(/: |：/)[1]).toBe(said);
  },
);

it.each([
  ['en', 6, 4, 0, '6 of them were let through, 4 already blocked by other protection.'],
  ['en', 0, 4, 0, '4 of them were already blocked by other protection.'],
  ['en', 6, 0, 3, '6 of them were let through, 3 previously blocked would pass.'],
  ['en', 0, 0, 3, '3 previously blocked would pass.'],
  ['zh', 6, 4, 3, '其中 6 个当时已放行，4 个当时已被其他防护拦截，3 个当时被拦截的会放行。'],
] as const)(
  'says in %s once that all were blocked, and of them only what became of them (%d, %d, %d)',
  async (locale, newly_blocked, blocked_elsewhere, newly_passed, said) => {
    await open(locale);
    const verdicts = { block: 9_000, challenge: 0, log: 0, allow: 0, redirect: 0, pass: 1_000, unknown: 0 };
    await first().answer(replay({ verdicts, newly_blocked, blocked_elsewhere, newly_passed }));
    const large = line().querySelector('strong')?.textContent ?? '';
    expect(large).toMatch(/^9,000 of|^最近/);
    expect(line().textContent).toBe(large + said);
  },
);

it.each([
  [0, 9_000, '9,000 of the last 10,000 requests (90%) would be made to wait.', ''],
  [
    500,
    9_000,
    '9,500 of the last 10,000 requests (95%) would be blocked or made to wait.',
    'Last 10,000 requests: 500 would be blocked, 9,000 would be made to wait.',
  ],
])(
  'says of %d blocked and %d that wait that they do, and says once what counts add nothing to',
  async (block, challenge, large, counts) => {
    await open();
    const pass = 10_000 - block - challenge;
    const verdicts = { block, challenge, log: 0, allow: 0, redirect: 0, pass, unknown: 0 };
    await first().answer(
      replay({ plugin: 'seclink', verdicts, newly_blocked: 0, blocked_elsewhere: 0, newly_passed: 0 }),
    );
    expect(line().textContent).toBe(`${large}${counts}`);
  },
);

it.each([
  [
    'en',
    10_000,
    0,
    '1 rule cannot be checked. Not in the log: header Accept.',
    'Last 10,000 requests: 10,000 could not be checked.',
    'Cannot be counted. Not in the log: header Accept',
  ],
  [
    'en',
    300,
    0,
    '1 rule cannot be checked. Not in the log: header Accept.',
    'Last 10,000 requests: 300 could not be checked, all others would pass.',
    '300 of the last 10,000 requests cannot be counted. Not in the log: header Accept',
  ],
  [
    'en',
    300,
    12,
    '1 rule cannot be checked. Not in the log: header Accept.',
    'Last 10,000 requests: 12 would be blocked, 300 could not be checked.',
    '300 of the last 10,000 requests cannot be counted, 12 match. Not in the log: header Accept',
  ],
  [
    'zh',
    10_000,
    0,
    '1 条规则无法检查，日志中没有：请求头 Accept。',
    '最近 10,000 个请求中：10,000 个无法检查。',
    '无法统计，日志中没有：请求头 Accept',
  ],
  [
    'zh',
    300,
    12,
    '1 条规则无法检查，日志中没有：请求头 Accept。',
    '最近 10,000 个请求中：12 个会被拦截，300 个无法检查。',
    '最近 10,000 个请求中有 300 个无法统计，命中 12 个，日志中没有：请求头 Accept',
  ],
] as const)(
  'gives in %s no number for the %d requests of which the log lacks what tells (%d known)',
  async (locale, unknown, block, loud, counts, note) => {
    await open(locale);
    const pass = 10_000 - unknown - block;
    await first().answer(
      replay({
        verdicts: { block, challenge: 0, log: 0, allow: 0, redirect: 0, pass, unknown },
        newly_blocked: 0,
        blocked_elsewhere: 0,
        newly_passed: 0,
        rules:
          block > 0 ? [{ rule: 'logins', reason: 'rule_matched', verdict: 'block', requests: block, samples: [] }] : [],
        unknown_rules: [
          { rule: 'logins', verdict: 'block', requests: unknown, fields: [{ field: 'header', name: 'Accept' }] },
        ],
      }),
    );
    expect(line().textContent).toBe(`${loud}${counts}`);
    expect((await screen.findByText(note)).className).toContain('text-warning');
  },
);

/** What is in sight of the line. */
const seen = () =>
  [...line().children].filter((part) => !part.matches('[aria-hidden=true]')).map((part) => part.textContent);

it('asks anew once typing rests, gives the question before up, and says until then that it counts', async () => {
  await open();
  await first().answer(replay());
  await openRule(/logins/);
  const field = await nameField();
  fireEvent.change(field, { target: { value: 'log' } });
  await rest(300);
  fireEvent.change(field, { target: { value: 'lo' } });
  await rest(300);
  expect(asked).toHaveLength(1);
  expect(seen()).toEqual(['Counting recent requests…']);
  expect(screen.queryByText(/of the last 10,000 requests/)).toBeNull();
  await rest(150);
  await waitFor(() => expect(asked).toHaveLength(2));
  fireEvent.change(field, { target: { value: 'l' } });
  await rest(450);
  await waitFor(() => expect(asked).toHaveLength(3));
  expect(asked[1]?.signal.aborted).toBe(true);
  expect(last().plugin.config).toMatchObject({ black_rules: [{ name: 'l' }, { name: 'other' }] });
  expect(seen()).toEqual(['Counting recent requests…']);
  await last().answer(
    replay({ verdicts: { block: 7, challenge: 12, log: 0, allow: 0, redirect: 0, pass: 9_993, unknown: 0 } }),
  );
  expect(seen()).toHaveLength(1);
  expect(line().textContent).toMatch(/7 would be blocked.*, 12 would be challenged/);
});

it('asks and says nothing of settings that are not valid', async () => {
  await open();
  await first().answer(replay());
  await openRule(/logins/);
  fireEvent.change(await nameField(), { target: { value: 'other' } });
  await rest(1_000);
  expect(asked).toHaveLength(1);
  expect(line().textContent).toBe('');
  expect(screen.queryByText(/of the last 10,000 requests/)).toBeNull();
  fireEvent.change(await nameField(), { target: { value: 'logins' } });
  await rest(450);
  await waitFor(() => expect(line().textContent).toContain('312 would be blocked'));
});

it('says in Chinese as well, and quietly that it could not be told', async () => {
  await open('zh');
  await first().answer(replay({ newly_passed: 0 }));
  expect(line().textContent).toBe(
    '最近 10,000 个请求中：312 个会被拦截（其中 280 个当时已放行，20 个当时已被其他防护拦截）。',
  );
  expect(await screen.findByText('命中最近 10,000 个请求中的 312 个')).toBeTruthy();
});

it('says where nothing was recorded, and where it failed', async () => {
  await open();
  await first().answer(replay({ requests: 0, rules: [], from: null, to: null }));
  expect(line().textContent).toBe('No requests were recorded in the last 24 hours.');
  await openRule(/logins/);
  fireEvent.change(await nameField(), { target: { value: 'x' } });
  await rest(450);
  await waitFor(() => expect(asked).toHaveLength(2));
  await last().fail();
  await waitFor(() =>
    expect(line().textContent).toBe(
      'Recent requests could not be checked. Something went wrong. Reload the page and try again.',
    ),
  );
  fireEvent.click(within(footer()).getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(asked).toHaveLength(3));
  expect(last().plugin).toEqual(asked[1]?.plugin);
  await last().answer(replay());
  expect(line().textContent).toContain('312 would be blocked');
  expect(within(footer()).queryByRole('button', { name: 'Retry' })).toBeNull();
});

it('counts what rules match before they are switched on, and says of all of them nothing until they are', async () => {
  await open();
  fireEvent.click(await screen.findByRole('switch', { name: 'Enabled' }));
  await rest(450);
  await waitFor(() => expect(asked).toHaveLength(2));
  expect(last().plugin.enabled).toBe(true);
  await last().answer(replay());
  expect(await screen.findByText('312 of the last 10,000 requests')).toBeTruthy();
  expect(within(footer()).queryByRole('status')).toBeNull();
});

it.each([
  ['a domain that never was live', { live: null }, 'blackrules', RULES],
  ['a plugin that decides nothing', {}, 'custom-header', { add: { headers: [{ name: 'X-A', value: 'b' }] } }],
  ['a plugin that is told by what no log has', {}, 'ban', {}],
])('leaves it out of %s', async (_, more, name, config) => {
  await open('en', more, name, config);
  await rest(1_000);
  expect(within(footer()).queryByRole('status')).toBeNull();
  expect(asked).toHaveLength(0);
});
