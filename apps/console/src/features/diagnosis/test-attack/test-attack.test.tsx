// @vitest-environment happy-dom
import { ApiError, type PluginEntry, type Route, type TestAttackResult, type TestAttackRun } from '@cordon/contract';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { needCatalogs } from '../../../app/intl-store';
import { renderDomains } from '../../../domain/testing/render-domains';
import { sampleConfig, sampleRoute } from '../../../domain/testing/sample-route';
import { TestAttackButton } from './test-attack-button';

const api = vi.hoisted(() => ({ sendTestAttack: vi.fn(), updateRoute: vi.fn() }));
vi.mock('../../../app/api-client', () => ({ api, queryClient: {} }));

const route = sampleRoute({ live: sampleConfig(), version_live: 3, status: 'running' });
const onDeploy = vi.fn();
const resultOf = (more: Partial<TestAttackResult>): TestAttackResult => ({
  attack: 'sql_injection',
  shown_by: null,
  params: {},
  request: { method: 'GET', target: '/', headers: [], address: '192.0.2.7', country: '', times: 1 },
  verdict: 'reached_origin',
  plugin: null,
  reason: null,
  rule: null,
  status: null,
  milliseconds: 1,
  request_id: 'a'.repeat(32),
  ...more,
});
const run = (more: Partial<TestAttackRun> = {}): { result: TestAttackRun } => ({
  result: {
    node: 'paris',
    version: 3,
    is_paused: false,
    results: [
      resultOf({}),
      resultOf({ attack: 'path_traversal', verdict: 'block', reason: 'bad_request', status: 400, request_id: null }),
      resultOf({
        attack: 'testAttacks.country',
        shown_by: 'geoip',
        params: { country: { countries: ['KP'] } },
        verdict: 'block',
        plugin: 'geoip',
        reason: 'country_refused',
        rule: 'KP',
        status: 403,
      }),
      resultOf({ attack: 'testAttacks.program', shown_by: 'challenge' }),
      resultOf({ attack: 'scanner', verdict: 'failed', request_id: null }),
    ],
    ...more,
  },
});

beforeEach(async () => {
  vi.resetAllMocks();
  await needCatalogs('diagnosis');
});

const lineOf = (attack: string) => within(document.querySelector(`[data-attack="${attack}"]`) as HTMLElement);
const press = () => userEvent.click(screen.getByRole('button', { name: 'Send a test attack' }));

it('sends with one press and says of each attack who stopped it, or that nothing did', async () => {
  api.sendTestAttack.mockResolvedValue(run());
  await renderDomains(<TestAttackButton route={route} onDeploy={onDeploy} />);
  await press();
  expect(await screen.findByText('2 of 5 stopped, 2 would reach your origin, 1 without a result')).toBeTruthy();
  expect(api.sendTestAttack).toHaveBeenCalledTimes(1);
  await screen.findByText('Country restriction · Visitor from North Korea');
  expect(lineOf('testAttacks.country').getByText(/^Blocked by Country restriction · Blocked country/)).toBeTruthy();
  expect(lineOf('path_traversal').getByText('Blocked by the edge · Malformed request')).toBeTruthy();
  expect(lineOf('path_traversal').queryByRole('link')).toBeNull();
  // For the eye the sum over the rows says so, once.
  expect(lineOf('sql_injection').getByText('Would reach your origin').className).toContain('sr-only');
  expect(lineOf('sql_injection').getByRole('link', { name: 'Trace: SQL injection' }).getAttribute('href')).toContain(
    `request=${'a'.repeat(32)}`,
  );
  expect(lineOf('testAttacks.program').getByText('Would reach your origin').className).toContain('sr-only');
  expect(lineOf('scanner').getByText('No result')).toBeTruthy();
});

it('says in Chinese that the protection is paused', async () => {
  api.sendTestAttack.mockResolvedValue(run({ is_paused: true }));
  await renderDomains(<TestAttackButton route={route} onDeploy={onDeploy} />, 'zh');
  await userEvent.click(screen.getByRole('button', { name: '发送测试攻击' }));
  expect(await screen.findByText(/^防护已暂停/)).toBeTruthy();
});

it('says why it could not be sent, and tries again', async () => {
  const failure = new ApiError(0, undefined, undefined, ['Please check your network']);
  api.sendTestAttack.mockRejectedValueOnce(failure).mockResolvedValueOnce(run());
  await renderDomains(<TestAttackButton route={route} onDeploy={onDeploy} />);
  await press();
  const retry = await screen.findByRole('button', { name: 'Retry' });
  expect(screen.queryByRole('button', { name: 'Run again' })).toBeNull();
  await userEvent.click(retry);
  expect(await screen.findByText('2 of 5 stopped, 2 would reach your origin, 1 without a result')).toBeTruthy();
});

it('is not there where no visitor is served', async () => {
  await renderDomains(<TestAttackButton route={sampleRoute({ status: 'deactivated' })} onDeploy={onDeploy} />);
  expect(screen.queryByRole('button', { name: 'Send a test attack' })).toBeNull();
});

it('cuts nothing of what was sent, however long', async () => {
  const target = `/search?q=${'union+select+'.repeat(40)}`;
  const [first] = run().result.results;
  const long = { ...first, request: { ...first?.request, target } } as TestAttackResult;
  api.sendTestAttack.mockResolvedValue(run({ results: [long] }));
  await renderDomains(<TestAttackButton route={route} onDeploy={onDeploy} />);
  await press();
  const sent = await screen.findByText(/^GET \/search.q=(union.select.){40}/);
  expect(sent.closest('[data-attack]')?.querySelectorAll('.truncate, [title]')).toHaveLength(0);
});

it('counts a rule that has stopped a common attack once', async () => {
  const stopped = { verdict: 'block' as const, plugin: 'blackrules', reason: 'rule_matched', rule: 'SQL', status: 403 };
  const own = { attack: 'testAttacks.rule', shown_by: 'blackrules', ...stopped };
  const results = [
    resultOf(stopped),
    resultOf({ ...own, params: { name: 'SQL' } }),
    resultOf({ ...own, params: { name: 'other' }, rule: 'other' }),
  ];
  api.sendTestAttack.mockResolvedValue(run({ results }));
  await renderDomains(<TestAttackButton route={route} onDeploy={onDeploy} />);
  await press();
  expect(await screen.findByText('2 of 2 stopped')).toBeTruthy();
  expect(document.querySelectorAll('[data-attack]')).toHaveLength(2);
});

it.each([
  [
    'en',
    'Send a test attack',
    'Rate-based challenge · 310 requests from one visitor',
    'Not reached: Request limit stops it first',
  ],
  ['zh', '发送测试攻击', '频次触发人机验证 · 同一访客的 310 个请求', '未执行：先被“访问频率控制”拦下'],
] as const)(
  'names the plugin that shows itself, and says in %s that another stopped it first',
  async (locale, send, what, outcome) => {
    const stopped = { verdict: 'block' as const, plugin: 'request-limit', reason: 'too_many_requests', status: 403 };
    const flood = { attack: 'testAttacks.flood', params: { requests: 310 }, ...stopped };
    const results = ['request-limit', 'crowdsec-captcha'].map((shown_by) => resultOf({ ...flood, shown_by }));
    api.sendTestAttack.mockResolvedValue(run({ results }));
    await renderDomains(<TestAttackButton route={route} onDeploy={onDeploy} />, locale);
    await userEvent.click(screen.getByRole('button', { name: send }));
    const line = within((await screen.findByText(what)).closest('li') as HTMLElement);
    expect(line.getByText(outcome)).toBeTruthy();
    expect(screen.getAllByText(outcome)).toHaveLength(1);
  },
);

it('shows first what would reach the origin', async () => {
  const [reached, stopped] = run().result.results;
  api.sendTestAttack.mockResolvedValue(run({ results: [stopped, reached] as TestAttackResult[] }));
  await renderDomains(<TestAttackButton route={route} onDeploy={onDeploy} />);
  await press();
  await screen.findByText('1 of 2 stopped, 1 would reach your origin');
  const shown = [...document.querySelectorAll('[data-attack]')].map((line) => line.getAttribute('data-attack'));
  expect(shown).toEqual(['sql_injection', 'path_traversal']);
});

const attacks = ['sql_injection', 'scanner'].map((attack) => resultOf({ attack }));
const rules = [{ name: 'SQL injection', when: { conditions: [{ field: 'path', values: ['/a'] }] } }];
const withRules = (enabled: boolean) => {
  const config = { black_rules: rules };
  return { ...route, draft: { ...sampleConfig(), plugins: [{ name: 'blackrules', enabled, config }] } };
};

/** A domain whose draft becomes what is saved, and whose version grows with a press. */
function Edited({ of }: { of: Route }) {
  const [shown, setShown] = useState(of);
  api.updateRoute.mockImplementation(async ({ body }: { body: { plugins: PluginEntry[] } }) => {
    const draft = { ...shown.draft, plugins: body.plugins };
    const result = { ...shown, draft, draft_revision: shown.draft_revision + 1, pending_changes: 1 };
    act(() => setShown(result));
    return { result };
  });
  const live = { pending_changes: 0, version_live: (shown.version_live ?? 0) + 1 };
  return (
    <>
      <button type="button" onClick={() => setShown({ ...shown, ...live })}>
        live
      </button>
      <TestAttackButton route={shown} onDeploy={onDeploy} />
    </>
  );
}
const namesSaved = () =>
  (
    api.updateRoute.mock.lastCall as [{ body: { plugins: [{ config: { black_rules: { name: string }[] } }] } }]
  )[0].body.plugins[0].config.black_rules.map(({ name }) => name);

describe('what stops an attack', () => {
  it('goes into the draft with one press, beside what is there, and leads to the deploy', async () => {
    api.sendTestAttack.mockResolvedValue(run({ results: attacks }));
    await renderDomains(<Edited of={withRules(true)} />);
    await press();
    await userEvent.click(await screen.findByRole('button', { name: 'Block all 2' }));
    await screen.findByText('The draft blocks 2 more. Live once you deploy.');
    const [[{ body, ifMatch }]] = api.updateRoute.mock.calls as [[{ ifMatch: number; body: { deploy?: true } }]];
    expect([ifMatch, body.deploy]).toEqual([route.draft_revision, undefined]);
    expect(namesSaved()).toEqual(['SQL injection', 'SQL injection 2', 'Vulnerability scanner']);
    expect(screen.getAllByText('In the draft')).toHaveLength(2);
    expect(screen.queryByRole('button', { name: /^Block/ })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Review and deploy' }));
    await userEvent.keyboard('{Enter}');
    expect(onDeploy).toHaveBeenCalledOnce();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('is known of the draft when it is run again, and is not put into it twice', async () => {
    api.sendTestAttack.mockResolvedValue(run({ results: attacks }));
    await renderDomains(<Edited of={withRules(true)} />);
    await press();
    await userEvent.click(await screen.findByRole('button', { name: 'Block: SQL injection' }));
    await screen.findByText('The draft blocks 1 more. Live once you deploy.');
    await userEvent.click(screen.getByRole('button', { name: 'Run again' }));
    await screen.findByText('The draft blocks 1 more. Live once you deploy.');
    await userEvent.click(screen.getByRole('button', { name: 'Block it' }));
    await screen.findByText('The draft blocks 2 more. Live once you deploy.');
    expect(namesSaved()).toEqual(['SQL injection', 'SQL injection 2', 'Vulnerability scanner']);
  });

  it('is shown at once when its deploy is live, and only then', async () => {
    api.sendTestAttack.mockResolvedValue(run({ results: attacks }));
    await renderDomains(<Edited of={withRules(true)} />);
    const live = screen.getByRole('button', { name: 'live' });
    await userEvent.click(live);
    expect(screen.queryByRole('dialog')).toBeNull();
    await press();
    await userEvent.click(await screen.findByRole('button', { name: 'Block all 2' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Review and deploy' }));
    await userEvent.click(live);
    await screen.findByText('0 of 2 stopped, 2 would reach your origin');
    expect(api.sendTestAttack).toHaveBeenCalledTimes(2);
  });

  it('is not offered where rules that are off would come on with it, but they are', async () => {
    api.sendTestAttack.mockResolvedValue(run({ results: attacks }));
    await renderDomains(<TestAttackButton route={withRules(false)} onDeploy={onDeploy} />);
    await press();
    await screen.findByText('0 of 2 stopped, 2 would reach your origin');
    expect(screen.queryByRole('button', { name: /^Block/ })).toBeNull();
    const { searchParams } = new URL(screen.getByRole<HTMLAnchorElement>('link', { name: 'Open Custom rules' }).href);
    expect(searchParams.get('edit')).toBe('blackrules');
  });

  it('says where the rules are full that there is no room, and leads to them', async () => {
    api.sendTestAttack.mockResolvedValue(run({ results: attacks }));
    const of = withRules(true);
    const many = Array.from({ length: 99 }, (_, index) => ({ ...rules[0], name: `Rule ${index}` }));
    const plugins = [{ name: 'blackrules', enabled: true, config: { black_rules: many } }];
    await renderDomains(<Edited of={{ ...of, draft: { ...of.draft, plugins } }} />);
    await press();
    await userEvent.click(await screen.findByRole('button', { name: 'Block it' }));
    await screen.findByText('The draft blocks 1 more. Live once you deploy.');
    expect(namesSaved()).toHaveLength(100);
    expect(screen.getByText(/^“Custom rules” has no room for another rule\. Delete some first\.$/)).toBeTruthy();
    expect(screen.getAllByText('No room for a rule')).toHaveLength(1);
    const { searchParams } = new URL(screen.getByRole<HTMLAnchorElement>('link', { name: 'Open Custom rules' }).href);
    expect(searchParams.get('edit')).toBe('blackrules');
    expect(screen.queryByRole('button', { name: /^Block/ })).toBeNull();
  });

  it('is not offered once more where it is live and another rule decides before it', async () => {
    api.sendTestAttack.mockResolvedValue(run({ results: attacks }));
    await renderDomains(<Edited of={withRules(true)} />);
    await press();
    await userEvent.click(await screen.findByRole('button', { name: 'Block all 2' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Review and deploy' }));
    await userEvent.click(screen.getByRole('button', { name: 'live' }));
    expect(await screen.findAllByText('Let through by an earlier rule')).toHaveLength(2);
    expect(screen.queryByRole('button', { name: /^Block/ })).toBeNull();
  });

  it('is not offered while the protection is paused', async () => {
    api.sendTestAttack.mockResolvedValue(run({ results: attacks, is_paused: true }));
    await renderDomains(<TestAttackButton route={withRules(true)} onDeploy={onDeploy} />);
    await press();
    await screen.findByText(/^Protection is paused/);
    expect(screen.queryByRole('button', { name: /^Block/ })).toBeNull();
  });
});
