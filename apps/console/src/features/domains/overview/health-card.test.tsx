// @vitest-environment happy-dom
import type { Health, HealthFinding } from '@cordon/contract';
import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { getBrand } from '../../../app/brand';
import { StartedContext } from '../../../domain/model/started';
import { renderDomains } from '../../../domain/testing/render-domains';
import { ROUTE_ID, sampleConfig, sampleRoute, sampleSuspension } from '../../../domain/testing/sample-route';
import { HealthCard } from './health-card';

vi.mock('../../../app/api-client', () => ({ api: {}, queryClient: {} }));
beforeEach(() => {
  Object.assign(getBrand(), { support_email: 'support@cordon.test' });
});

const finding = (change: Partial<HealthFinding>): HealthFinding => ({
  check: 'upstream',
  state: 'error',
  finding: 'none_answers',
  params: { asked: 2 },
  advice: 'check_origin',
  since: null,
  ...change,
});

const guarded = { ...sampleConfig(), plugins: [{ name: 'ip-restriction', enabled: true, config: {} }] };

it.each([
  ['en', 'No problems found'],
  ['zh', '未发现问题'],
] as const)('says in %s that all is well only where nothing was found', async (locale, words) => {
  await renderDomains(<HealthCard route={sampleRoute({ live: guarded })} onAsk={vi.fn()} />, locale);
  expect(screen.getByRole('status').textContent).toBe(words);
  expect(screen.queryByText(/^(Healthy|正常)$/)).toBeNull();
  expect(screen.queryAllByRole('listitem')).toHaveLength(0);
});

it('says of each finding in a sentence what is wrong, worst first, and leads to its cure', async () => {
  const certificate = { check: 'certificate', state: 'warning', finding: 'default_certificate', params: {} } as const;
  const findings = [finding({}), finding({ ...certificate, advice: 'configure_ssl' })];
  const health: Health = { state: 'error', findings, looked_at: null };
  await renderDomains(<HealthCard route={sampleRoute({ health })} onAsk={vi.fn()} />);
  expect(screen.getByText('2 need fixing')).toBeTruthy();
  expect(screen.queryByText('No problems found')).toBeNull();
  const [first, second] = await screen.findAllByRole('listitem');
  expect(first?.textContent).toContain('None of your origins answers.');
  expect(second?.textContent).toContain('No certificate for this name: browsers warn visitors over HTTPS.');
  const page = `#/domain/list/${ROUTE_ID}`;
  expect(screen.getByRole('link', { name: 'Open origin' }).getAttribute('href')).toBe(`${page}?tab=upstreams`);
  // No screen sets up certificates yet: whom to ask is a press away.
  const support = within(second as HTMLElement).getByRole('link', { name: 'Contact support' });
  expect(support.getAttribute('href')).toBe('mailto:support@cordon.test');
});

it.each([
  ['en', /None of your origins answers\. First seen .+ ago$/],
  ['zh', /。首次发现：.+前$/],
] as const)('says in %s since when it is known, in a sentence of its own', async (locale, words) => {
  const since = new Date(Date.now() - 3 * 3_600_000).toISOString();
  const health: Health = { state: 'error', findings: [finding({ since })], looked_at: null };
  await renderDomains(<HealthCard route={sampleRoute({ health })} onAsk={vi.fn()} />, locale);
  const [line] = await screen.findAllByRole('listitem');
  expect(line?.querySelector('p')?.textContent).toMatch(words);
});

it('says of a missing record in short what the card of the record below tells in full', async () => {
  const noRecord = finding({
    check: 'ownership',
    finding: 'no_record',
    params: { name: 'www.example.com' },
    advice: null,
  });
  const health: Health = { state: 'error', findings: [noRecord], looked_at: null };
  const ownership = { ...sampleRoute().ownership, state: 'pending' } as const;
  await renderDomains(<HealthCard route={sampleRoute({ health, ownership })} onAsk={vi.fn()} />);
  const [line] = await screen.findAllByRole('listitem');
  expect(line?.querySelector('p')?.textContent?.trim()).toBe('No DNS record');
  screen.getByRole('button', { name: 'Show DNS record' });
});

it('deploys where that is the cure', async () => {
  const never = finding({
    check: 'service',
    finding: 'never_deployed',
    params: {},
    advice: 'deploy',
    state: 'warning',
  });
  const onAsk = vi.fn();
  const route = sampleRoute({
    status: 'deactivated',
    last_deployed: null,
    live: null,
    version_live: null,
    health: { state: 'off', findings: [never], looked_at: null },
  });
  await renderDomains(<HealthCard route={route} onAsk={onAsk} />);
  // In the word that the list and the header have for it, once.
  expect(screen.getByRole('status').textContent).toBe('Not deployed');
  expect(screen.queryByText(/not served/i)).toBeNull();
  await userEvent.click(await screen.findByRole('button', { name: 'Deploy' }));
  expect(onAsk).toHaveBeenCalledWith('deploy');
});

it.each([
  ['en', 'domain', /^Suspended since .*2026.*: visitors see a suspension page/, 'Reason: phishing, ticket 7'],
  ['en', 'account', /^Your whole account is suspended since .*2026/, 'Reason: phishing, ticket 7'],
  ['zh', 'domain', /^自 .*2026.* 起已被冻结/, '原因：phishing, ticket 7'],
] as const)('says in %s of a suspended %s since when, why, and whom to write to', async (...row) => {
  const [locale, scope, since, reason] = row;
  const health: Health = {
    state: 'error',
    findings: [
      finding({ check: 'service', finding: 'route_suspended', params: { reason: '' }, advice: 'contact_support' }),
    ],
    looked_at: null,
  };
  await renderDomains(
    <HealthCard route={sampleRoute({ health, suspension: sampleSuspension({ scope }) })} onAsk={vi.fn()} />,
    locale,
  );
  expect(screen.getByText(since)).toBeTruthy();
  expect(screen.getByText(reason)).toBeTruthy();
  expect(screen.getAllByRole('link')[0]?.getAttribute('href')).toBe('mailto:support@cordon.test');
  expect(screen.queryByText(/no problems found|未发现问题/i)).toBeNull();
});

it('says of a demo domain that its origin was looked at, and of nothing that was not', async () => {
  const health: Health = { state: 'ok', findings: [], looked_at: new Date().toISOString() };
  const { ownership } = sampleRoute();
  const route = sampleRoute({ live: guarded, health, ownership: { ...ownership, method: 'demo' } });
  await renderDomains(<HealthCard route={route} onAsk={vi.fn()} />);
  expect(screen.getByText(/^Origin checked /)).toBeTruthy();
});

it('is one line of a healthy domain, with the time of the look and the way to another, and has its place before the first', async () => {
  const health: Health = { state: 'ok', findings: [], looked_at: new Date().toISOString() };
  const live = sampleRoute({ live: guarded, health });
  await renderDomains(<HealthCard route={live} onAsk={vi.fn()} />);
  const card = within(screen.getByRole('region', { name: 'Health' }));
  card.getByText('No problems found');
  card.getByText(/^DNS, TLS and origin checked /);
  expect(card.getByRole('link', { name: 'Check now' }).getAttribute('href')).toContain('tab=diagnosis');
  cleanup();
  const unseen = { ...live, health: { ...health, looked_at: null } };
  await renderDomains(<HealthCard route={unseen} onAsk={vi.fn()} />);
  expect(screen.getByRole('status').textContent).toBe('Checking DNS, TLS and origin');
  expect(screen.queryByText('No problems found')).toBeNull();
  cleanup();
  // What protects it not is told once it is known to be well.
  await renderDomains(<HealthCard route={{ ...unseen, live: sampleConfig() }} onAsk={vi.fn()} />);
  expect(screen.getByRole('status').textContent).toBe('Checking DNS, TLS and origin');
  cleanup();
  await renderDomains(<HealthCard route={{ ...unseen, live: null, version_live: null }} onAsk={vi.fn()} />);
  expect(screen.queryByRole('status')).toBeNull();
});

it('tells that nothing protects the domain, as no fault, and leads to what would', async () => {
  const live = { ...sampleConfig(), plugins: [{ name: 'ip-restriction', enabled: true, config: {} }] };
  await renderDomains(
    <>
      <HealthCard route={sampleRoute()} onAsk={vi.fn()} />
      <HealthCard route={sampleRoute({ live })} onAsk={vi.fn()} />
    </>,
  );
  const [told, ...others] = screen.getAllByText('No problems found. Only the default protection is on');
  expect(others).toEqual([]);
  expect(screen.getAllByText(/No problems found/)).toHaveLength(2);
  const link = within(told?.parentElement as HTMLElement).getByRole('link', { name: 'Set up protection' });
  expect(link.getAttribute('href')).toContain('tab=protection');
});

it.each([
  [false, 'No problems found. Only the default protection is on'],
  [true, 'No problems found'],
])('does not say that nothing blocks attacks while what waits for them is started (%s)', async (isStarted, words) => {
  await renderDomains(
    <StartedContext value={isStarted && 'domain'}>
      <HealthCard route={sampleRoute({ live: { ...sampleConfig(), plugins: [] } })} onAsk={vi.fn()} />
    </StartedContext>,
  );
  expect(screen.getByRole('status').textContent).toBe(words);
  expect(screen.queryAllByRole('link', { name: 'Set up protection' })).toHaveLength(isStarted ? 0 : 1);
});

it('leaves a pause to its banner, which ends it, and counts the rest', async () => {
  const pause = finding({
    check: 'service',
    state: 'warning',
    finding: 'paused',
    params: { by: 'a' },
    advice: 'end_pause',
  });
  const health: Health = { state: 'error', findings: [finding({}), pause], looked_at: null };
  const paused = { since: '2026-01-01T00:00:00Z', until: null, by: 'ana@example.com' };
  await renderDomains(<HealthCard route={sampleRoute({ live: guarded, health, paused })} onAsk={vi.fn()} />);
  expect(screen.getByText('1 needs fixing')).toBeTruthy();
  expect(await screen.findAllByRole('listitem')).toHaveLength(1);
  cleanup();
  const alone: Health = { state: 'warning', findings: [pause], looked_at: new Date().toISOString() };
  await renderDomains(<HealthCard route={sampleRoute({ health: alone, paused })} onAsk={vi.fn()} />);
  expect(screen.queryByRole('status')).toBeNull();
});
