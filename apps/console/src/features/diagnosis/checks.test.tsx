// @vitest-environment happy-dom
import { type Diagnosis, type DiagnosisLine, diagnosisChecks } from '@cordon/contract';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { getBrand } from '../../app/brand';
import { renderDomains } from '../../domain/testing/render-domains';
import { ROUTE_ID, sampleRoute } from '../../domain/testing/sample-route';
import { Checks } from './checks';

const api = vi.hoisted(() => ({ checkDomain: vi.fn() }));
vi.mock('../../app/api-client', () => ({ api, queryClient: {} }));

const WELL: Record<string, [string, DiagnosisLine['params']]> = {
  service: ['running', { version: 7 }],
  quota: ['within', { used: 2, limit: 50, plan: 'VIP' }],
  ownership: ['points_here', { name: 'www.example.com' }],
  propagation: ['everywhere', { here: 2, answered: 2 }],
  certificate: ['valid', { issuer: 'Example CA', expires_at: '2027-01-02T03:04:05Z' }],
  nodes: ['all_live', { live: 2, all: 2 }],
  deploy: ['live', { version: 7, at: '2026-11-20T10:00:00Z', pending: 0 }],
  access: ['lets_in', { asked: 6 }],
  upstream: ['all_answer', { asked: 1 }],
  traffic: ['served', { share: 0, requests: 120, minutes: 5 }],
};
const lineOf = (check: DiagnosisLine['check'], change: Partial<DiagnosisLine> = {}): DiagnosisLine => ({
  check,
  state: 'ok',
  finding: WELL[check]?.[0] ?? '',
  params: WELL[check]?.[1] ?? {},
  advice: null,
  items: [],
  took_ms: 3,
  ...change,
});
const diagnosis = (state: Diagnosis['health']['state'], ...changed: DiagnosisLine[]): { result: Diagnosis } => ({
  result: {
    route_id: ROUTE_ID,
    checked_at: '2026-11-20T10:00:00Z',
    took_ms: 120,
    health: {
      state,
      findings: changed
        .filter(({ state: one }) => one === 'error' || one === 'warning')
        .map(({ items: _, took_ms: __, ...line }) => ({ ...line, since: null })),
      looked_at: '2026-11-20T10:00:00Z',
    },
    checks: diagnosisChecks.map((check) => changed.find((line) => line.check === check) ?? lineOf(check)),
  },
});
const lineShown = (check: string) => document.querySelector(`[data-check=${check}]`) as HTMLElement;

const onAsk = vi.fn();
beforeEach(() => {
  api.checkDomain.mockReset();
  onAsk.mockReset();
});

it('says that all is well when it is, and in Chinese as well', async () => {
  api.checkDomain.mockResolvedValue(diagnosis('ok'));
  await renderDomains(<Checks route={sampleRoute()} preview={null} onAsk={onAsk} />, 'zh');
  expect(await screen.findByText('未发现问题')).toBeTruthy();
  expect(screen.getByText('www.example.com 的 CNAME 已生效。')).toBeTruthy();
});

it('shows the record to set, and looks again when asked', async () => {
  const params = {
    name: 'www.example.com',
    record_type: 'CNAME',
    target: 'k3v9.s1.vip01.edge.cordon.test',
    txt_name: '_cordon-challenge.www.example.com',
    txt_value: 'cordon-verify=1',
    seen: '',
  };
  const missing = lineOf('ownership', { state: 'error', finding: 'no_record', advice: 'add_cname', params });
  api.checkDomain.mockResolvedValueOnce(diagnosis('error', missing)).mockResolvedValueOnce(diagnosis('ok'));
  await renderDomains(<Checks route={sampleRoute()} preview={null} onAsk={onAsk} />);
  expect(await screen.findByText('1 needs fixing')).toBeTruthy();
  const line = within(lineShown('ownership'));
  expect(line.getByText('Add a CNAME pointing to the exclusive CNAME of this domain.')).toBeTruthy();
  expect(line.getByText('k3v9.s1.vip01.edge.cordon.test')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Check again' }));
  expect(await screen.findByText('No problems found')).toBeTruthy();
});

it('names the plugin that keeps people out in its own words, with the entry, and leads to it', async () => {
  const refused = { plugin: 'ip-restriction', reason: 'in_deny_list', rule: '198.41.0.0/16' };
  const line = lineOf('access', {
    state: 'warning',
    finding: 'blocks_you',
    advice: 'change_access',
    params: { ...refused, address: '198.41.128.7' },
    items: [{ label: '198.41.128.7', kind: 'you', state: 'error', finding: 'blocks', params: refused }],
  });
  api.checkDomain.mockResolvedValue(diagnosis('warning', line));
  await renderDomains(<Checks route={sampleRoute()} preview={null} onAsk={onAsk} />);
  await screen.findByText(/Your own address 198.41.128.7 is blocked by IP restriction: Blocked IP/);
  const shown = within(lineShown('access'));
  expect(shown.getByText('blocked by IP restriction 198.41.0.0/16')).toBeTruthy();
  expect(shown.getByText('If this is not what you want, change it in “IP restriction”.')).toBeTruthy();
  const cure = shown.getByRole('link', { name: 'Open settings' });
  expect(cure.getAttribute('href')).toBe(`#/domain/list/${ROUTE_ID}?tab=access&edit=ip-restriction`);
});

const node = (label: string, params: DiagnosisLine['params'] = {}) =>
  ({ label, kind: 'node', state: 'ok', finding: 'live', params }) as const;

it.each([
  ['en', 'paris · live', 'v7 · 1/1 nodes · 34 ms', '127.0.0.1:29910 · 200 · 7 ms'],
  ['zh', 'paris · 在线', 'v7 · 1/1 个节点 · 34 毫秒', '127.0.0.1:29910 · 200 · 7 毫秒'],
] as const)('tells what is well in one line of figures (%s)', async (locale, nodes, deploy, upstream) => {
  const origin = { status: 200, ms: 7, address: '127.0.0.1' };
  const lines = [
    lineOf('nodes', { items: [node('paris')], params: { live: 1, all: 1 } }),
    lineOf('deploy', { items: [node('paris', { version: 7, ms: 34 })] }),
    lineOf('upstream', {
      items: [{ label: '127.0.0.1:29910', kind: 'http', state: 'ok', finding: 'answers', params: origin }],
    }),
  ];
  api.checkDomain.mockResolvedValue(diagnosis('ok', ...lines));
  await renderDomains(<Checks route={sampleRoute()} preview={null} onAsk={onAsk} />, locale);
  await screen.findByText(nodes);
  for (const [check, words] of Object.entries({ nodes, deploy, upstream }))
    expect(lineShown(check).querySelector('h3')?.nextElementSibling?.textContent).toBe(words);
});

it('shows a single detail of what is unwell at once, and several when asked', async () => {
  const lost = { ...node('paris'), state: 'error', finding: 'offline' } as const;
  const lines = [
    lineOf('nodes', { state: 'error', finding: 'none_live', params: { live: 0, all: 1 }, items: [lost] }),
    lineOf('deploy', { items: [node('oslo', { version: 7, ms: 21 }), node('rome', { version: 7, ms: 34 })] }),
  ];
  api.checkDomain.mockResolvedValue(diagnosis('error', ...lines));
  await renderDomains(<Checks route={sampleRoute()} preview={null} onAsk={onAsk} />);
  expect((await screen.findByText('paris')).closest('details')).toBeNull();
  expect(lineShown('deploy').textContent).toContain('v7 · 2/2 nodes · 34 ms');
  expect(screen.getByText('oslo').closest('details')?.open).toBe(false);
});

it('shows what was found in the order of the judgement, and the others in the order of the checks', async () => {
  const found = [
    lineOf('upstream', { state: 'error', finding: 'none_answers', params: { good: 0, asked: 1, more: 0 } }),
    lineOf('ownership', { state: 'error', finding: 'no_record', params: { name: 'www.example.com' } }),
    lineOf('quota', { state: 'warning', finding: 'exceeded', params: { used: 60, limit: 50, plan: 'VIP' } }),
  ];
  const late = lineOf('propagation', { state: 'unknown', finding: 'timed_out', advice: 'retry', params: {} });
  api.checkDomain.mockResolvedValue(diagnosis('error', ...found, late));
  await renderDomains(<Checks route={sampleRoute()} preview={null} onAsk={onAsk} />);
  await screen.findByText(/60 names in use/);
  const first = ['upstream', 'ownership', 'quota'];
  const shown = [...document.querySelectorAll('[data-check]')].map((line) => line.getAttribute('data-check'));
  const unwell = [...first, 'propagation'];
  expect(shown).toEqual([...unwell, ...diagnosisChecks.filter((check) => !unwell.includes(check))]);
  const fold = screen.getByText(`${diagnosisChecks.length - unwell.length} checks are fine`).closest('details');
  expect(fold?.open).toBe(false);
  expect([...(fold?.querySelectorAll('[data-check]') ?? [])]).toHaveLength(diagnosisChecks.length - unwell.length);
});

it('counts in the headline what the rows mark, and marks otherwise what follows from one of them', async () => {
  const astray = lineOf('ownership', { state: 'error', finding: 'no_record', params: { name: 'www.example.com' } });
  const follows = lineOf('propagation', {
    state: 'error',
    finding: 'nowhere',
    advice: 'wait_for_dns',
    params: { here: 0, answered: 2, minimum: 5, maximum: 30, hours: 48 },
  });
  const { result } = diagnosis('error', astray);
  const checks = result.checks.map((line) => (line.check === 'propagation' ? follows : line));
  api.checkDomain.mockResolvedValue({ result: { ...result, checks } });
  await renderDomains(<Checks route={sampleRoute()} preview={null} onAsk={onAsk} />);
  expect(await screen.findByText('1 needs fixing')).toBeTruthy();
  expect(screen.getAllByText('Needs fixing')).toHaveLength(1);
  expect(within(lineShown('propagation')).getByText('Caused by another finding')).toBeTruthy();
  expect(within(lineShown('propagation')).getByRole('link', { name: 'Show DNS record' })).toBeTruthy();
});

it('names the protocol where it is at fault, and leaves the cure of its server errors to that line', async () => {
  const params = { good: 0, asked: 1, more: 0 };
  const wrong = lineOf('upstream', { state: 'error', finding: 'none_answers', advice: 'change_protocol', params });
  const follows = lineOf('traffic', {
    state: 'error',
    finding: 'server_errors',
    advice: 'check_origin',
    params: { share: 100, requests: 40, minutes: 5 },
  });
  const { result } = diagnosis('error', wrong);
  const checks = result.checks.map((line) => (line.check === 'traffic' ? follows : line));
  api.checkDomain.mockResolvedValue({ result: { ...result, checks } });
  await renderDomains(<Checks route={sampleRoute()} preview={null} onAsk={onAsk} />);
  expect(await screen.findByText('1 needs fixing')).toBeTruthy();
  const cause = within(lineShown('upstream'));
  expect(cause.getByText('Your origin cannot be used: it does not support the chosen protocol.')).toBeTruthy();
  expect(screen.getAllByRole('link', { name: 'Open origin' })).toHaveLength(1);
  expect(cause.getByRole('link', { name: 'Open origin' })).toBeTruthy();
  expect(within(lineShown('traffic')).getByText('Caused by another finding')).toBeTruthy();
});

it('leads of a certificate, which no screen sets up yet, to whom to ask', async () => {
  Object.assign(getBrand(), { support_email: 'support@cordon.test' });
  const finding = { state: 'warning', finding: 'default_certificate', advice: 'configure_ssl', params: {} } as const;
  api.checkDomain.mockResolvedValue(diagnosis('warning', lineOf('certificate', finding)));
  await renderDomains(<Checks route={sampleRoute()} preview={null} onAsk={onAsk} />);
  expect(await screen.findByText(/^Contact support about a certificate/)).toBeTruthy();
  const support = within(lineShown('certificate')).getByRole('link', { name: 'Contact support' });
  expect(support.getAttribute('href')).toBe('mailto:support@cordon.test');
});

it.each([
  ['en', '7 / 50 names, aliases included'],
  ['zh', '7 / 50 个域名，含别名域名'],
] as const)('counts aliases among the names of the plan and says so (%s)', async (locale, words) => {
  api.checkDomain.mockResolvedValue(diagnosis('ok', lineOf('quota', { params: { used: 7, limit: 50, plan: 'VIP' } })));
  await renderDomains(<Checks route={sampleRoute()} preview={null} onAsk={onAsk} />, locale);
  expect(await screen.findByText(words)).toBeTruthy();
});

it('tells what could not be checked apart from what is wrong', async () => {
  const late = lineOf('propagation', { state: 'unknown', finding: 'timed_out', advice: 'retry', params: {} });
  api.checkDomain.mockResolvedValue(diagnosis('ok', late));
  await renderDomains(<Checks route={sampleRoute()} preview={null} onAsk={onAsk} />);
  expect(await screen.findByText('Everything that could be checked is OK')).toBeTruthy();
  expect(within(lineShown('propagation')).getByText(/The check timed out/)).toBeTruthy();
});

it('says why when nothing could be asked, and tries again', async () => {
  api.checkDomain.mockRejectedValueOnce(new Error('down')).mockResolvedValueOnce(diagnosis('ok'));
  await renderDomains(<Checks route={sampleRoute()} preview={null} onAsk={onAsk} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('No problems found')).toBeTruthy();
});

it('deploys from the line that advises it; what is off on purpose is marked as off', async () => {
  const line = lineOf('service', { state: 'error', finding: 'never_deployed', advice: 'deploy' });
  api.checkDomain.mockResolvedValue(diagnosis('off', line));
  const off = { state: 'off' as const, findings: [], looked_at: null };
  const route = sampleRoute({
    last_deployed: null,
    live: null,
    version_live: null,
    status: 'deactivated',
    health: off,
  });
  await renderDomains(<Checks route={route} preview={null} onAsk={onAsk} />);
  const shown = within(await screen.findByRole('heading', { name: 'Status' }).then(() => lineShown('service')));
  await userEvent.setup().click(shown.getByRole('button', { name: 'Deploy' }));
  expect(onAsk).toHaveBeenCalledWith('deploy');
  expect(shown.getByText('Off')).toBeTruthy();
});

it.each([
  ['en', 1, 'Your origin answers, but with an error.'],
  ['en', 3, 'Your origins answer, but with errors.'],
  ['zh', 1, '源站有响应，但返回错误。'],
] as const)('does not say in %s that %d origins work that answer with errors', async (locale, asked, words) => {
  const params = { good: 0, asked, more: 0 };
  api.checkDomain.mockResolvedValue(
    diagnosis(
      'warning',
      lineOf('upstream', { state: 'warning', finding: 'some_fail', params, advice: 'check_origin' }),
    ),
  );
  await renderDomains(<Checks route={sampleRoute()} preview={null} onAsk={onAsk} />, locale);
  expect(await screen.findByText(words)).toBeTruthy();
});
