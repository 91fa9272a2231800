// @vitest-environment happy-dom
import type { Trace, TraceStepRow } from '@cordon/contract';
import { cleanup, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { needCatalogs } from '../../../app/intl-store';
import { renderDomains } from '../../../domain/testing/render-domains';
import { ROUTE_ID, sampleRoute } from '../../../domain/testing/sample-route';
import { TracePipeline } from './trace-pipeline';
import type { LoggedRequest, TraceValues } from './trace-values';
import { WhatHappened } from './what-happened';

vi.mock('../../../app/api-client', () => ({ api: {}, queryClient: {} }));

const step = (change: Partial<TraceStepRow>): TraceStepRow => ({
  step: 'plugin',
  plugin: 'ban',
  outcome: 'block',
  status: 403,
  reason: 'banned',
  rule: '4.4.0.0/16',
  detail: '',
  location: '',
  ...change,
});
async function show(...steps: readonly TraceStepRow[]) {
  await needCatalogs('diagnosis');
  await renderDomains(<TracePipeline trace={traceOf(steps)} route={sampleRoute()} />);
}
const traceOf = (steps: readonly TraceStepRow[], version: number | null = 7) =>
  ({ version, request: { country: 'KP' }, answer: { kind: 'block', status: 403 }, steps }) as unknown as Trace;

it('leads a banned visitor’s verdict to the ban, once, and says at its step no more than that it refuses', async () => {
  await show(step({}));
  const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'Show the ban' });
  const { pathname, searchParams } = new URL(link.href);
  expect([pathname, ...searchParams]).toEqual(['/manage-ip', ['domain', ROUTE_ID], ['q', '4.4.0.0/16']]);
  expect(screen.getAllByText(/4\.4\.0\.0\/16/)).toHaveLength(1);
  expect(screen.queryByRole('link', { name: 'Edit' })).toBeNull();
});

it('leads to no ban from steps that let the visitor go on, or refuse for another reason', async () => {
  await show(
    step({ outcome: 'pass', status: null, reason: '', rule: '' }),
    step({ plugin: 'ip-restriction', reason: 'denied_address' }),
  );
  expect(screen.getAllByRole('link', { name: 'Settings' })).toHaveLength(2);
  expect(screen.queryByRole('link', { name: 'Show the ban' })).toBeNull();
});

it('says first who refuses a request and by what entry, with the way to its form', async () => {
  await show(step({ plugin: 'ip-restriction', reason: 'denied_address', rule: '198.41.128.7' }));
  expect(await screen.findByText('Blocked by IP restriction: 198.41.128.7')).toBeTruthy();
  expect(screen.getByText('The visitor gets status 403 from the edge')).toBeTruthy();
  const { searchParams } = new URL(screen.getByRole<HTMLAnchorElement>('link', { name: 'Edit' }).href);
  expect([...searchParams]).toEqual([
    ['tab', 'access'],
    ['edit', 'ip-restriction'],
  ]);
});

it.each([
  ['en', ['Conditions that matched', 'Country is Germany', 'User agent contains curl (case-insensitive)']],
  ['zh', ['匹配的条件', '国家和地区属于德国', 'User-Agent 包含 curl（不区分大小写）']],
] as const)('says in %s by which conditions and values a rule matched', async (locale, said) => {
  const matched = [
    { field: 'country', values: ['DE'], not: false },
    { field: 'user_agent', test: 'contains', values: ['curl'], ignore_case: true, not: false },
  ];
  await needCatalogs('diagnosis');
  const steps = [step({ plugin: 'blackrules', reason: 'rule_matched', rule: 'Bad traffic', matched })];
  await renderDomains(<TracePipeline trace={traceOf(steps)} route={sampleRoute()} />, locale);
  for (const text of said) expect(await screen.findByText(text)).toBeTruthy();
});

const logged = {
  time: '2026-11-20T10:00:00Z',
  action: 'block',
  status: 429,
  version: 7,
  plugin: 'request-limit',
  reason: 'too_many_requests',
  rule: '^/login',
  domain_name: 'shop.example',
  method: 'GET',
  path: '/echo',
  query: 'form=contact&token=***',
} as LoggedRequest;

it('has the query of a logged request as the log has it: two that differ by it are told apart', async () => {
  await needCatalogs('diagnosis');
  await renderDomains(<WhatHappened logged={logged} route={sampleRoute()} onDeploy={vi.fn()} onInstant={vi.fn()} />);
  expect(screen.getByText('GET /echo?form=contact&token=***')).toBeTruthy();
});

it.each([
  ['block', 'lucide-ban'],
  ['challenge', 'lucide-shield-question-mark'],
  ['redirect', 'lucide-corner-down-right'],
  ['', 'lucide-arrow-right-from-line'],
] as const)(
  'has the sign of the step that ends a request, which only passes where it does (%s)',
  async (action, sign) => {
    const one = { ...logged, action } as LoggedRequest;
    const trace = {
      ...traceOf([step({ outcome: action || 'pass' })]),
      answer: { kind: action || 'origin', status: 429 },
    };
    await needCatalogs('diagnosis');
    await renderDomains(
      <>
        <WhatHappened logged={one} route={sampleRoute()} onDeploy={vi.fn()} onInstant={vi.fn()} />
        <TracePipeline trace={trace as Trace} route={sampleRoute()} logged={one} />
      </>,
    );
    for (const place of document.querySelectorAll('[data-happened], [data-answer]'))
      expect(place.querySelector('svg')?.getAttribute('class')).toContain(sign);
    expect(document.querySelectorAll('[data-happened] > svg, [data-answer] > svg')).toHaveLength(2);
  },
);

it.each([
  ['en', /^What happened at .* · status 429 · version 7$/, 'Blocked by Request limit: ^/login'],
  ['zh', /的实际情况 · 状态码 429 · 版本 7$/, '被“访问频率控制”拦截：^/login'],
] as const)('says in %s of a logged request who decided, and why', async (locale, at, happened) => {
  await needCatalogs('diagnosis');
  await renderDomains(
    <WhatHappened logged={logged} route={sampleRoute()} onDeploy={vi.fn()} onInstant={vi.fn()} />,
    locale,
  );
  expect(screen.getByText(at)).toBeTruthy();
  const verdict = await screen.findByText(happened);
  expect(verdict.closest('[data-happened=block]')?.className).toContain('text-danger');
});

it.each([
  ['en', 'Check required by Challenge: ^/account'],
  ['zh', '“人机验证”要求通过验证：^/account'],
] as const)('says in %s of a challenge by its path what asked for it, and why only once', async (locale, happened) => {
  const asked = { ...logged, action: 'challenge', plugin: 'challenge', reason: 'proof_required', rule: '^/account' };
  await needCatalogs('diagnosis');
  const shown = (
    <WhatHappened logged={asked as LoggedRequest} route={sampleRoute()} onDeploy={vi.fn()} onInstant={vi.fn()} />
  );
  await renderDomains(shown, locale);
  const verdict = await screen.findByText(happened);
  expect(verdict.closest('[data-happened]')?.textContent).toBe(`${happened}${locale === 'zh' ? '编辑' : 'Edit'}`);
});

it('says of a request that the edge itself refused why it did', async () => {
  const refused = { ...logged, plugin: '', reason: 'loop', rule: '' };
  await needCatalogs('diagnosis');
  await renderDomains(<WhatHappened logged={refused} route={sampleRoute()} onDeploy={vi.fn()} onInstant={vi.fn()} />);
  expect(screen.getByText('Blocked by the edge')).toBeTruthy();
  expect(screen.getByText('Its CDN-Loop header shows that it has passed the edge before.')).toBeTruthy();
  expect(screen.queryByRole('link')).toBeNull();
});

it.each([
  ['block', 'Blocked by Request limit: ^/login'],
  ['', 'Would reach your origin'],
] as const)(
  'says of a test attack that it was one, and never that the origin answered (%s)',
  async (action, happened) => {
    await needCatalogs('diagnosis');
    const test = { ...logged, is_test: true, action, status: action === '' ? 204 : 429 } as LoggedRequest;
    await renderDomains(
      <>
        <WhatHappened logged={test} route={sampleRoute()} onDeploy={vi.fn()} onInstant={vi.fn()} />
        <TracePipeline
          trace={{ ...traceOf([]), answer: { kind: 'origin', status: null } }}
          route={sampleRoute()}
          logged={test}
        />
      </>,
    );
    expect((await screen.findAllByText(happened)).length).toBeGreaterThan(0);
    expect(screen.getByText('Test attack')).toBeTruthy();
    expect(screen.getByText(/Your origin was not asked\.$/)).toBeTruthy();
    expect(screen.getByRole('status').textContent).toBe('Would reach your origin');
    // What let it pass would let the attack pass.
    expect(screen.queryByText(/^Let it pass/)).toBeNull();
  },
);

it.each([
  [7, 'What the live configuration would do now'],
  [6, 'What version 6 would do now'],
  [null, 'What the draft would do now'],
] as const)('says whose the replay of a logged request is (%s)', async (version, replay) => {
  await needCatalogs('diagnosis');
  await renderDomains(<TracePipeline trace={traceOf([step({})], version)} route={sampleRoute()} logged={logged} />);
  expect(screen.getByText(replay)).toBeTruthy();
  expect(screen.getByRole('status').className).not.toContain('text-danger');
});

it.each([
  ['en', 'block', 'It would still be blocked'],
  ['zh', 'block', '同样会被拦截'],
  ['en', 'challenge', 'It would be challenged too'],
  ['en', 'redirect', 'It would be redirected too'],
] as const)('says in %s of what would be answered as it was what that is: %s', async (locale, kind, words) => {
  await needCatalogs('diagnosis');
  const trace = { ...traceOf([step({ outcome: kind })]), answer: { kind, status: 429 } };
  await renderDomains(
    <TracePipeline trace={trace} route={sampleRoute()} logged={{ ...logged, action: kind }} />,
    locale,
  );
  expect(screen.getByRole('status').textContent).toBe(words);
});

it.each([
  [
    'en',
    'Held on the waiting page by Signed links: ^/files',
    'The visitor must wait first (status 503)',
    'It would still be held on the waiting page',
    'makes wait',
  ],
  ['zh', '被“签名链接”要求等待：^/files', '访客须先等待（状态码 503）', '同样需要等待', '要求等待'],
] as const)(
  'says in %s of a wait that it is one, not that anything is to be proved',
  async (locale, by, answer, same, outcome) => {
    await needCatalogs('diagnosis');
    const wait = { plugin: 'seclink', reason: 'wait_required', rule: '^/files', status: 503 };
    const trace = {
      ...traceOf([step({ ...wait, step: 'plugin', outcome: 'challenge' })]),
      answer: { kind: 'challenge' as const, status: 503 },
    };
    await renderDomains(<TracePipeline trace={trace} route={sampleRoute()} />, locale);
    expect(await screen.findByText(by)).toBeTruthy();
    expect(screen.getByText(answer)).toBeTruthy();
    cleanup();
    const then = { ...logged, ...wait, action: 'challenge' };
    await renderDomains(<TracePipeline trace={trace} route={sampleRoute()} logged={then} />, locale);
    expect(screen.getByRole('status').textContent).toBe(same);
    expect(document.querySelector('[data-step=seclink]')?.textContent).toContain(outcome);
  },
);

it.each([
  ['en', 'The access log does not keep the signature. It is taken as valid here.'],
  ['zh', '访问日志不保存签名，此处按签名有效判断。'],
] as const)('says in %s, folded with no other step, that a signature is not in the log', async (locale, said) => {
  await needCatalogs('diagnosis');
  const passing = step({ plugin: 'seclink', outcome: 'pass', status: null, reason: '', rule: '' });
  const steps = [
    { ...passing, plugin: 'geoip' },
    { ...passing, signature_taken: true },
    { ...passing, plugin: 'waf' },
  ];
  await renderDomains(<TracePipeline trace={traceOf(steps)} route={sampleRoute()} logged={logged} />, locale);
  expect(screen.getByText(said).closest('[data-step]')?.getAttribute('data-step')).toBe('seclink');
  expect(document.querySelector('details')).toBeNull();
});

it('tells once that a custom rule matched', async () => {
  await show(step({ plugin: 'blackrules', reason: 'rule_matched', rule: 'New rule' }));
  expect(await screen.findByText('Blocked by Custom rules: New rule')).toBeTruthy();
  expect(screen.queryByText('Matched a custom rule')).toBeNull();
});

it('folds steps beside each other that did nothing into one line, and never the one that decides', async () => {
  const quiet = { status: null, reason: '', rule: '' } as const;
  await show(
    step({ ...quiet, step: 'request', plugin: '', outcome: 'pass' }),
    step({ ...quiet, plugin: 'allow-list', outcome: 'pass' }),
    step({ plugin: 'geoip', reason: 'country_refused', rule: 'KP' }),
    step({ ...quiet, plugin: 'ban', outcome: 'not_reached' }),
    step({ ...quiet, plugin: 'challenge', outcome: 'not_reached' }),
  );
  expect(await screen.findByText('Blocked by Country restriction: North Korea')).toBeTruthy();
  const folded = [...document.querySelectorAll('details')];
  expect(folded.map((one) => one.querySelector('summary')?.textContent)).toEqual([
    '2 steps pass · Allow list',
    '2 steps not reached · Bans and Challenge',
  ]);
  expect(document.querySelector('details [data-outcome=block]')).toBeNull();
  expect(document.querySelectorAll('details [data-step]')).toHaveLength(4);
});

it('says of a request that was made up what was traced, and by which configuration', async () => {
  await needCatalogs('diagnosis');
  const made = { method: 'POST', url: '/cart?a=1', client: ' 198.41.128.7 ' } as TraceValues;
  await renderDomains(<TracePipeline trace={traceOf([step({})])} route={sampleRoute()} made={made} />);
  expect(screen.getByText('POST /cart?a=1')).toBeTruthy();
  expect(screen.getByText('198.41.128.7')).toBeTruthy();
  expect(screen.getByText(/· North Korea$/)).toBeTruthy();
  expect(screen.getByText(/^What .* would do now$/)).toBeTruthy();
});

it.each([
  ['en', /^· country unknown$/],
  ['zh', /^· 国家\/地区未知$/],
] as const)('says in %s where the country of the visitor is not known', async (locale, said) => {
  await needCatalogs('diagnosis');
  const made = { method: 'GET', url: '/', client: '' } as TraceValues;
  const trace = { ...traceOf([step({})]), request: { country: '' } } as Trace;
  await renderDomains(<TracePipeline trace={trace} route={sampleRoute()} made={made} />, locale);
  expect(await screen.findByText(said)).toBeTruthy();
});
