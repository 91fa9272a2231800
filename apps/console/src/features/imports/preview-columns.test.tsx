// @vitest-environment happy-dom
import type { ImportColumn } from '@cordon/contract';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { needCatalogs } from '../../app/intl-store';
import { renderDomains } from '../../domain/testing/render-domains';
import { readFile } from './file/read-file';
import { previewColumns, RowProblems } from './preview-columns';
import { EMPTY_CELLS_ID, lineIdOf, MISSING_GROUPS_ID, problemLines } from './problem-lines';
import { readTable } from './read-table';
import { TableState } from './table-state';

vi.mock('../../app/api-client', () => ({ api: {}, queryClient: {} }));

/** The rows that are wrong, with their cells, as the preview has them. */
function Rows({ text }: { text: string }) {
  const state = new TableState(readTable(readFile(new TextEncoder().encode(text))));
  return state.view({ onlyErrors: true, page: 1, perPage: 9 }).rows.map((row) => (
    <section key={row.row} aria-label={`row ${row.row}`}>
      <span id={EMPTY_CELLS_ID}>said once</span>
      {previewColumns(state.summary.columns).map(({ id, cell }) => (
        <div key={id}>{cell(row)}</div>
      ))}
      <p>
        <RowProblems row={row} />
      </p>
    </section>
  ));
}

const HEADER = 'domain_name,protocol,upstreams,status,remarks';
const linesOf = (place: Element | null) => [...(place?.querySelectorAll('p > span > span > span') ?? [])];

it.each([
  ['a.example,http,1.1.1.1,,-', ['Status is required'], ['必填：状态']],
  ['a.example,,,,-', ['Protocol, Upstreams, and Status are required'], ['必填：协议、源站和状态']],
  [',,,,-', ['Domain name, Protocol, Upstreams, and Status are required'], ['必填：域名、协议、源站和状态']],
  // Said once, above the rows.
  ['a.example,http,1.1.1.1,running,', [], []],
  [
    'a.example;http;1.1.1.1;running;-,,,,',
    [
      'Protocol, Upstreams, and Status are required. If the whole row is in one cell, separate its cells as in the header row',
    ],
    ['必填：协议、源站和状态。如果整行内容都在同一个单元格里，请按表头行分隔'],
  ],
])('says of %j each fault once, and its cells point there', async (row, en, zh) => {
  for (const [locale, lines] of [
    ['en', en],
    ['zh', zh],
  ] as const) {
    await needCatalogs('imports');
    await renderDomains(<Rows text={`${HEADER}\n${row}`} />, locale);
    const place = screen.getByRole('region', { name: 'row 2' });
    expect(linesOf(place).map((line) => line.textContent)).toEqual(lines);
    const wrong = [...place.querySelectorAll('[aria-invalid=true]')];
    expect(wrong.length).toBeGreaterThan(0);
    for (const cell of wrong)
      expect(document.getElementById(cell.getAttribute('aria-describedby') ?? '')?.textContent).toBeTruthy();
    cleanup();
  }
});

it.each([
  ['en', /^Aliases: not, a, and name: Enter a full name/],
  ['zh', /^别名域名：not、a和name：/],
] as const)('says in %s once what several targets of a cell have in common', async (locale, words) => {
  await needCatalogs('imports');
  await renderDomains(
    <Rows text={'domain_name,protocol,upstreams,status,aliases\na.example,http,1.1.1.1,running,not a name'} />,
    locale,
  );
  const lines = linesOf(screen.getByRole('region', { name: 'row 2' })).map((line) => line.textContent);
  expect(lines).toEqual([expect.stringMatching(words)]);
});

it('keeps what is chosen in a cell clear of the arrow over its end', async () => {
  await needCatalogs('imports');
  await renderDomains(<Rows text={`${HEADER}\na.example,http_https,1.1.1.1,gone,-`} />);
  const choice = screen.getByRole('combobox', { name: 'Protocol, row 2' });
  const arrow = choice.nextElementSibling;
  const inset = Number(/right-(\d+)/.exec(arrow?.getAttribute('class') ?? '')?.[1]) * 4;
  const padding = /padding-inline: \S+ (\d+)px/.exec(choice.getAttribute('style') ?? '')?.[1];
  expect(Number(padding)).toBeGreaterThan(inset + Number(arrow?.getAttribute('width')));
});

it('says of a group that there is not nothing below its row: the cell points at the press that makes it', () => {
  const unknown = [{ row: 2, column: 'group' as const, code: 'IMPORT_GROUP_UNKNOWN' as const }];
  expect(problemLines(unknown).filter(({ key }) => key === 'group')).toEqual([]);
  expect(lineIdOf(2, unknown, 'group')).toBe(MISSING_GROUPS_ID);
});

/** The least widths of columns, and what they have together. */
function leastOf(more: readonly ImportColumn[], ...cells: Partial<Record<ImportColumn, string>>[]) {
  const rows = cells.map((one, index) => ({ row: index + 2, cells: one, problems: [] }));
  const least = previewColumns(more).map(({ id, width }) => {
    const own = typeof width === 'function' ? width(rows) : width;
    return [id, Number(/(\d+)px/.exec(own ?? '')?.[1])] as const;
  });
  return { of: Object.fromEntries(least), sum: least.reduce((sum, [, px]) => sum + px, 40) };
}
const ALL_COLUMNS = ['group', 'remarks', 'shadow_domains'] as const;
const FULL = {
  domain_name: 'shop.customer-with-a-long-name.review.example.com',
  protocol: 'http_https',
  upstreams: '198.41.128.202:18443 origin-of-the-shop.hosting-provider.example.net:8443',
  status: 'deactivated',
  group: 'Shop / group / north',
  remarks: 'All that the shop of the north is known for, and more.',
  shadow_domains: 'alias12.customer-shop-with-a-long-name.example.net',
};
/** Paddings and borders around a text, and with the arrow of what is chosen. */
const [AROUND, AROUND_CHOICE] = [26, 43];
const CODE_PX = 7.23;

it('gives all columns at once the room that a window of 1280 px has for them', () => {
  const { of, sum } = leastOf(ALL_COLUMNS, FULL);
  // The text as it is drawn.
  expect(of.domain_name).toBeGreaterThanOrEqual(165 + AROUND);
  expect(of.upstreams).toBeGreaterThanOrEqual(20 * CODE_PX + AROUND);
  expect(of.shadow_domains).toBeGreaterThanOrEqual(107 + AROUND);
  // On two lines, "Shop / group" and "/ north".
  expect(of.group).toBeGreaterThanOrEqual(82 + AROUND);
  expect(of.protocol).toBeGreaterThanOrEqual(61 + AROUND_CHOICE);
  expect(of.status).toBeGreaterThanOrEqual(71 + AROUND_CHOICE);
  expect(sum).toBeLessThanOrEqual(1022);
});

it('has a status that is none whole, and an address with its port in one line', () => {
  const { of, sum } = leastOf(ALL_COLUMNS, { ...FULL, status: 'suspended', upstreams: '198.41.128.10:8443' });
  expect(of.status).toBeGreaterThanOrEqual(70 + AROUND_CHOICE);
  expect(of.upstreams).toBeGreaterThanOrEqual(18 * CODE_PX + AROUND);
  expect(sum).toBeLessThanOrEqual(1022);
});

it('gives what some columns do not need to those that do, targets first', () => {
  const upstreams = '[2001:db8:85a3::8a2e:370:7334]:8080';
  const short = { ...FULL, domain_name: 'a.example', upstreams, status: 'temporarily off', shadow_domains: '-' };
  const { of, sum } = leastOf(ALL_COLUMNS, short);
  expect(of.upstreams).toBeGreaterThanOrEqual(upstreams.length * CODE_PX + AROUND);
  expect(of.status).toBeGreaterThanOrEqual(90 + AROUND_CHOICE);
  expect(sum).toBeLessThanOrEqual(1022);
});

it('has room for the number of every row of a long file', () => {
  const rows = [{ row: 5001, cells: FULL, problems: [] }];
  const [first, ...others] = previewColumns(ALL_COLUMNS).map(({ width }) =>
    Number(/(\d+)px/.exec((typeof width === 'function' ? width(rows) : width) ?? '')?.[1]),
  );
  // The padding, the sign with the room beside it, and the digits.
  expect(first).toBeGreaterThanOrEqual(16 + 15 + 6 + 4 * 8);
  expect(others.reduce((sum, px) => sum + px, (first ?? 0) + 40)).toBeLessThanOrEqual(1022);
});

it('marks a text that ends further down than its cell, until it is edited', async () => {
  const heights = [
    vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockImplementation(function (this: HTMLElement) {
      return this.textContent?.includes('contract') ? 160 : 80;
    }),
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(80),
  ];
  await needCatalogs('imports');
  await renderDomains(<Rows text={`${HEADER}\na.example,http,1.1.1.1,on,${'word '.repeat(30)}contract 4711`} />);
  expect(screen.getAllByText('…')).toHaveLength(1);
  const remark = screen.getByRole('textbox', { name: /Remarks/ });
  expect(remark.parentElement?.textContent).toContain('…');
  expect(remark.title).toMatch(/4711$/);
  fireEvent.focus(remark);
  expect(screen.queryByText('…')).toBeNull();
  fireEvent.blur(remark);
  expect(screen.getAllByText('…')).toHaveLength(1);
  for (const height of heights) height.mockRestore();
});
