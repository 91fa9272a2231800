// @vitest-environment happy-dom
import type { DomainTraffic, RouteSummary } from '@cordon/contract';
import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { needCatalogs } from '../../../app/intl-store';
import { useShortFinding } from '../../../domain/health/health-words';
import { renderDomains } from '../../../domain/testing/render-domains';
import { goneRecord, ROUTE_ID, sampleRoute } from '../../../domain/testing/sample-route';
import { DataTable } from '../../../ui/data-table';
import { FittingColumns, ShownColumns, useShownColumns } from './column-choice';
import ColumnsMenu from './columns-menu';
import { domainColumns } from './domain-columns';
import { type RowsTraffic, TrafficContext } from './traffic-context';

const GROUP_ID = '0190f3a0-0000-7000-8000-0000000000a1';
vi.mock('../../../domain/data/group-queries', () => ({
  useGroups: () => [{ id: GROUP_ID, name: 'Shop', default_group: false }],
  useGroupName:
    () =>
    ({ name }: { name: string }) =>
      name,
}));

beforeEach(() => window.localStorage.clear());

function List({ rows, traffic }: { rows: readonly RouteSummary[]; traffic: RowsTraffic }) {
  const shown = useShownColumns(rows);
  const fitting = [...shown, 'chart'] as const;
  return (
    <TrafficContext value={traffic}>
      <ShownColumns value={shown}>
        <FittingColumns value={fitting}>
          <ColumnsMenu />
        </FittingColumns>
      </ShownColumns>
      <DataTable
        label="Domains"
        columns={domainColumns(shown, useShortFinding(), fitting, Number.POSITIVE_INFINITY)}
        rows={rows}
        rowKey={({ id }) => id}
        page={1}
        perPage={10}
        count={rows.length}
        onPageChange={() => {}}
        empty={null}
      />
    </TrafficContext>
  );
}

const traffic = (change: Partial<DomainTraffic> = {}): DomainTraffic => ({
  route_id: ROUTE_ID,
  requests: 2_100_000,
  blocked: 402,
  challenged: 0,
  passed: 0,
  status_5xx: 0,
  bytes: 0,
  hit_ratio: 0.9,
  cached: true,
  series: Array.from({ length: 24 }, (_, hour) => ({ requests: hour, blocked: 0 })),
  ...change,
});

const known: RowsTraffic = new Map([[ROUTE_ID, traffic()]]);

async function show(route: Partial<RouteSummary>, { numbers }: { numbers: RowsTraffic } = { numbers: known }) {
  await needCatalogs('health');
  await renderDomains(<List rows={[sampleRoute(route)]} traffic={numbers} />);
  return screen.getAllByRole('row').at(-1) as HTMLElement;
}

describe('a row of the list', () => {
  it('says name, group, what waits, health, origin with its port, the last 24 hours and the days of the certificate', async () => {
    const row = await show({
      group_id: GROUP_ID,
      pending_changes: 3,
      upstream_summary: 'https://203.0.113.10:8443, 203.0.113.11:8443 +1',
      certificate_expires_at: new Date(Date.now() + 61.5 * 86_400_000).toISOString(),
    });
    for (const text of ['www.example.com', 'Shop', '3 pending', 'Healthy', '2.1M', '402', '90.0%'])
      within(row).getByText(text);
    // In a column of its own, and on a phone beside the health.
    for (const text of [':8443', '+2']) expect(within(row).getAllByText(text)).toHaveLength(2);
    within(row).getByRole('cell', { name: '61 days' });
    expect(row.querySelector('path')).not.toBeNull();
  });

  it('marks a domain in development mode, with its end: by a sign in a column, in words on a phone', async () => {
    const until = 'Nothing is served from the cache until Nov 27, 2026, 10:00:00.';
    const row = await show({ development_ends_at: '2026-11-27T10:00:00.000Z' });
    const words = within(row).getByText('development mode');
    expect(words.className).toBe('sr-only');
    expect(words.parentElement?.title).toBe(`development mode\n${until}`);
    cleanup();
    const matchMedia = vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);
    const onPhone = await show({ development_ends_at: '2026-11-27T10:00:00.000Z' });
    expect(within(onPhone).getByText('development mode').title).toBe(until);
    matchMedia.mockRestore();
    cleanup();
    expect(within(await show({})).queryByText('development mode')).toBeNull();
  });

  it('says what waits as a number in a column, and in words on a phone', async () => {
    const row = await show({ pending_changes: 3 });
    expect(within(row).getByTitle('3 pending').querySelector('.sr-only')?.textContent).toBe('3 pending');
    expect(within(row).getByText('±3')).toBeTruthy();
    cleanup();
    const matchMedia = vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);
    expect(within(await show({ pending_changes: 3 })).getByText('3 pending').className).not.toBe('sr-only');
    matchMedia.mockRestore();
  });

  it('says of the certificate of a demo domain what its diagnosis does', async () => {
    const row = await show({ certificate_finding: 'demo' });
    within(row).getByRole('cell', { name: 'demo' });
    const both = within(row).getAllByTitle('Demo domain, self-signed certificate');
    expect(both.map(({ textContent }) => textContent)).toEqual(['demo', 'demo']);
  });

  it('says on a phone quietly that TLS and DNS are well, and in words what is not', async () => {
    const onPhone = (row: HTMLElement, label: string) =>
      within(row)
        .getAllByText(label)
        .find(({ className }) => className.includes('sm:hidden')) as HTMLElement;
    const well = await show({ certificate_expires_at: new Date(Date.now() + 61.5 * 86_400_000).toISOString() });
    for (const label of ['TLS', 'DNS']) {
      const sign = onPhone(well, label);
      expect(sign.querySelector('.lucide-check')).not.toBeNull();
      expect(sign.querySelector('.text-danger, .text-warning, .text-success')).toBeNull();
    }
    cleanup();
    const soon = new Date(Date.now() + 5.5 * 86_400_000).toISOString();
    const expiring = { ...goneRecord.findings[0], check: 'certificate', finding: 'expires_soon', state: 'warning' };
    const health = { ...goneRecord, findings: [...goneRecord.findings, expiring] } as RouteSummary['health'];
    const unwell = await show({ health, certificate_expires_at: soon });
    expect(within(onPhone(unwell, 'TLS')).getByText('5 days').className).toContain('text-warning');
    const dns = within(onPhone(unwell, 'DNS')).getByTitle('DNS record missing');
    expect(dns.className).toContain('text-danger');
  });

  it('says on a phone of TLS and DNS beside what is wrong too how they are', async () => {
    const finding = { ...goneRecord.findings[0], check: 'traffic', finding: 'server_errors', params: { share: 5.3 } };
    const health = { ...goneRecord, findings: [finding] } as RouteSummary['health'];
    const served = await show({ health, certificate_finding: 'demo' });
    expect(within(served).getAllByText(/^(TLS|DNS)$/)).toHaveLength(2);
    cleanup();
    const gone = await show({ health: goneRecord, certificate_finding: 'demo' });
    expect(
      within(gone)
        .getAllByText(/^(TLS|DNS)$/)
        .map((one) => one.firstChild?.textContent),
    ).toEqual(['TLS', 'DNS']);
  });

  it('says on a phone nothing of TLS and DNS before the first deploy, so that the origin keeps to the line of the health', async () => {
    const row = await show({ last_deployed: null, version_live: null });
    expect(within(row).queryAllByText(/^(TLS|DNS)$/)).toEqual([]);
  });

  it('says certificate and origin beside the health, and each number beside its label, where a phone shows no columns', async () => {
    const row = await show({
      certificate_expires_at: new Date(Date.now() + 61.5 * 86_400_000).toISOString(),
    });
    const cells = within(row).getAllByRole('cell');
    const onPhone = cells.filter(({ className }) => !className.includes('phone:hidden')).slice(1);
    expect(onPhone.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^HealthyTLSExpires .*DNSSet up192\.0\.2\.10:80$/),
      'Requests2.1M',
      '',
      'Blocked402',
      'Hit ratio90.0%',
    ]);
    // Between the two the course of the requests.
    expect(onPhone[2]?.querySelector('path')).not.toBeNull();
    for (const cell of [onPhone[1], onPhone[3]]) expect(cell?.className).not.toContain('justify-between');
  });

  it('has dashes, neither zeros nor a tick, before the first deploy', async () => {
    const none = new Map([[ROUTE_ID, traffic({ requests: 0, blocked: 0, hit_ratio: null, series: [] })]]);
    const row = await show({ last_deployed: null, ownership_state: 'verified' }, { numbers: none });
    // Requests, blocked, hit ratio and DNS, of which a phone says nothing.
    expect(within(row).getAllByText('–')).toHaveLength(4);
    expect(within(row).queryByText('Set up')).toBeNull();
    cleanup();
    expect(within(await show({}, { numbers: none })).getAllByText('0')).toHaveLength(2);
  });

  it('says of DNS what the health does, though the name was proved once', async () => {
    const row = await show({});
    expect(within(row).getAllByTitle('Set up').length).toBeGreaterThan(0);
    cleanup();
    const gone = await show({ health: goneRecord });
    expect(within(gone).queryByTitle('Set up')).toBeNull();
    expect(within(gone).getAllByTitle('DNS record missing').length).toBeGreaterThan(1);
  });

  it('has a red chart where visitors are not served, and the finding in a few words', async () => {
    const row = await show({
      health: {
        state: 'error',
        looked_at: null,
        findings: [
          {
            check: 'upstream',
            state: 'error',
            finding: 'none_answers',
            params: {},
            advice: 'check_origin',
            since: null,
          },
        ],
      },
    });
    within(row).getByText('Origin down');
    expect(row.querySelector('svg[width="64"]')?.getAttribute('class')).toContain('text-danger');
  });

  it.each([
    ['ends with the last whole hour', (hour: number) => (hour === 23 ? 1 : 100), 23],
    ['has the hour that is counted where all came in it', (hour: number) => (hour === 23 ? 1 : 0), 24],
  ])('has a chart that %s', async (_, requestsOf, points) => {
    const series = Array.from({ length: 24 }, (_, hour) => ({ requests: requestsOf(hour), blocked: 0 }));
    const row = await show({}, { numbers: new Map([[ROUTE_ID, traffic({ series })]]) });
    const line = row.querySelector('svg[width="64"] path')?.getAttribute('d') ?? '';
    expect(line.split('L')).toHaveLength(points + 2);
  });

  it('keeps the place of numbers that are still asked for', async () => {
    const waiting = await show({}, { numbers: undefined });
    expect(waiting.querySelectorAll('.skeleton')).toHaveLength(3);
  });

  it('has a dash that says why where the numbers cannot be told', async () => {
    const row = await show({}, { numbers: null });
    expect(within(row).getAllByTitle('Traffic data is not available right now.')).toHaveLength(3);
  });

  it('has a dash that says why where nothing came as far, says that the cache is off, and has no dash where it answered nothing', async () => {
    const without = await show({}, { numbers: new Map([[ROUTE_ID, traffic({ hit_ratio: null })]]) });
    expect(
      within(without).getByTitle('No request came as far as the cache or your origin in the last 24 hours.')
        .textContent,
    ).toBe('–');
    cleanup();
    const off = await show({}, { numbers: new Map([[ROUTE_ID, traffic({ hit_ratio: 0, cached: false })]]) });
    const link = within(off).getByRole('link', { name: 'Cache off' });
    expect(link.title).toMatch('your origin answered every request');
    expect(link.getAttribute('href')).toMatch(new RegExp(`/domain/list/${ROUTE_ID}\\?tab=caching$`));
    cleanup();
    const missed = await show({}, { numbers: new Map([[ROUTE_ID, traffic({ hit_ratio: 0 })]]) });
    within(missed).getByText('0.0%');
    expect(within(missed).queryByText('–')).toBeNull();
  });

  it('warns of a certificate that is missed, and not of one that is not', async () => {
    const row = await show({
      last_deployed: null,
      health: {
        state: 'warning',
        looked_at: null,
        findings: [
          {
            check: 'certificate',
            state: 'warning',
            finding: 'default_certificate',
            params: {},
            advice: null,
            since: null,
          },
        ],
      },
    });
    for (const none of within(row).getAllByText('none')) expect(none.className).toContain('text-warning');
    within(row).getByText('draft');
  });
});

it('says once of a domain that it was never deployed', async () => {
  const never = {
    check: 'service',
    state: 'warning',
    finding: 'never_deployed',
    params: {},
    advice: 'deploy',
    since: null,
  } as const;
  const row = await show({ last_deployed: null, health: { state: 'off', looked_at: null, findings: [never] } });
  within(row).getByText('Not deployed');
  expect(within(row).queryByText('draft')).toBeNull();
});

it('writes the numbers of a column alike', async () => {
  const other = sampleRoute({ id: '0190f3a0-0000-7000-8000-0000000000b2', domain_name_unicode: 'small.example' });
  const numbers = new Map([...known, [other.id, traffic({ route_id: other.id, requests: 1374 })]]);
  await needCatalogs('health');
  await renderDomains(<List rows={[sampleRoute(), other]} traffic={numbers} />);
  const texts = screen.getAllByRole('row').map(({ textContent }) => textContent);
  expect(texts.filter((text) => /2\.1M|1\.4K/.test(text ?? ''))).toHaveLength(2);
});

it('columns are chosen on this device', async () => {
  await show({ remarks: 'the old shop' });
  expect(screen.queryByRole('columnheader', { name: 'Remarks' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }));
  await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Remarks' }));
  // The menu stays for the next choice.
  await userEvent.click(screen.getByRole('menuitemcheckbox', { name: 'Blocked' }));
  const heads = screen.getAllByRole('columnheader', { hidden: true }).map(({ textContent }) => textContent);
  expect(heads).toContain('Remarks');
  expect(heads).not.toContain('Blocked');
  screen.getByText('the old shop');
  expect(window.localStorage.getItem('domains.columns')).toBe('origin requests hit_ratio tls dns remarks');
});

it.each([
  ['en', 'Columns 2 hidden', '2 hidden', 'No room in the table', 'No room for their trend'],
  ['zh', '列 2 列未显示', '2 列未显示', '表格宽度不足，未显示', '表格宽度不足，未显示趋势'],
] as const)(
  'says in %s on the button of the columns, which is always in sight, how many have no room, and in the menu which',
  async (locale, name, hidden, none, trend) => {
    await renderDomains(
      <ShownColumns value={['origin', 'requests', 'tls']}>
        <FittingColumns value={['requests', 'dns']}>
          <ColumnsMenu />
        </FittingColumns>
      </ShownColumns>,
      locale,
    );
    screen.getByText(hidden);
    await userEvent.click(screen.getByRole('button', { name }));
    expect(await screen.findAllByText(none)).toHaveLength(2);
    expect(screen.getByRole('menuitemcheckbox', { name: new RegExp(trend) })).toBeTruthy();
  },
);

it.each([
  ['en', 'Columns', 'Shown while the list is sorted by it'],
  ['zh', '列', '列表按此列排序，因此显示'],
] as const)('says in %s of a column that was not chosen why it is there', async (locale, name, why) => {
  await renderDomains(
    <ShownColumns value={['origin', 'requests']}>
      <FittingColumns value={['origin', 'requests', 'chart', 'hit_ratio']}>
        <ColumnsMenu />
      </FittingColumns>
    </ShownColumns>,
    locale,
  );
  await userEvent.click(screen.getByRole('button', { name }));
  const item = (await screen.findByText(why)).closest('[role="menuitemcheckbox"]');
  expect(item?.getAttribute('aria-checked')).toBe('false');
  expect(item?.textContent).toContain(locale === 'en' ? 'Hit ratio' : '命中率');
});

it('a group that is chosen as a column stands there alone, and leads to its domains', async () => {
  const row = await show({ group_id: GROUP_ID });
  expect(within(row).getByText('Shop').closest('a')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }));
  await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Group' }));
  const link = screen.getByRole('link', { name: 'Shop', hidden: true });
  expect(link.getAttribute('href')).toContain(`/domain/list?group=${GROUP_ID}`);
  expect(screen.getAllByText('Shop')).toEqual([link]);
});

it('keeps an address with its port in one line beside long names, and health is as wide as what there is to say', async () => {
  const tracks = () =>
    screen
      .getByRole('table')
      .style.getPropertyValue('--tracks-lg')
      .split(/ (?![^(]*\))/);
  await show({ domain_name_unicode: `${'long-'.repeat(12)}.example`, upstream_summary: 'http://203.0.113.10:8443' });
  expect(tracks().slice(1, 3)).toEqual(['112px', 'minmax(152px, 152px)']);
  cleanup();
  const finding = {
    check: 'upstream',
    state: 'error',
    finding: 'none_answers',
    params: {},
    advice: null,
    since: null,
  } as const;
  await show({
    upstream_summary: 'http://203.0.113.10:8443',
    health: { state: 'error', looked_at: null, findings: [finding] },
  });
  expect(tracks().slice(1, 3)).toEqual(['129px', 'minmax(152px, 152px)']);
  cleanup();
  // The name of a host may wrap before its port.
  await show({ upstream_summary: 'https://origin-of-the-shop.example.net:8443' });
  expect(tracks()[2]).toBe('minmax(128px, 207px)');
});
