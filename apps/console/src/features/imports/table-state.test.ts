import { describe, expect, it } from 'vitest';
import { readPasted } from './file/read-file';
import { FileProblem } from './file/sheet';
import { readTable } from './read-table';
import { TableState } from './table-state';

const HEADER = 'domain_name,protocol,upstreams,status,remarks';
const GOOD = 'http,198.41.128.7,running,-';
const tableOf = (text: string) => readTable(readPasted(text));
const stateOf = (...rows: string[]) => new TableState(tableOf([HEADER, ...rows].join('\n')));
const problemOf = (text: string): unknown => {
  try {
    tableOf(text);
  } catch (error) {
    return error;
  }
  return undefined;
};
/** `row column: CODE` of everything on the first page. */
const problemsOf = (state: TableState, onlyErrors = false) =>
  state
    .view({ onlyErrors, page: 1, perPage: 50 })
    .rows.flatMap(({ row, problems }) => problems.map(({ column, code }) => `${row} ${column}: ${code}`));

describe('the header row', () => {
  it.each([
    [`${HEADER}\n`, 'EMPTY', {}],
    ['www.example.com,http,198.41.128.7,running\n', 'HEADER_MISSING', { row: 1 }],
    ['domain_name,protocol,remarks\na,b,c\n', 'COLUMN_MISSING', { columns: 'upstreams', row: 1 }],
    [
      'domain_name,protocol,upstreams,status,域名\na,b,c,d,e\n',
      'COLUMN_REPEATED',
      { column: 'domain_name', letters: 'E' },
    ],
  ])('%j is refused', (text, code, params) => {
    const problem = problemOf(text);
    expect(problem).toBeInstanceOf(FileProblem);
    expect(problem).toMatchObject({ code, params });
  });
  it('may be Chinese, in any order, with marks and units behind the names', () => {
    const table = tableOf('状态,域名 *,备注（可选）,源站,协议\nrunning,a.example,x,198.41.128.7,http\n');
    expect(table.columns).toEqual(['domain_name', 'protocol', 'upstreams', 'status', 'remarks']);
    expect(table.rows[0]?.cells).toEqual({
      status: 'running',
      domain_name: 'a.example',
      remarks: 'x',
      upstreams: '198.41.128.7',
      protocol: 'http',
    });
  });
  it.each([
    [',', 'Domains of the shop, and their status'],
    ['\t', 'Domains of the shop, and their status'],
    [';', 'Domains of the shop, and their status'],
    // As one column is called, too.
    [',', 'Domain'],
    [',', '域名'],
  ])('may have a title and a date above it, with %j between the cells: %s', (separator, heading) => {
    const lines = [heading, '2026-11-23', HEADER, `a.example,${GOOD}`];
    const [title = '', ...rest] = lines;
    const table = tableOf([`"${title}"`, ...rest.map((line) => line.replaceAll(',', separator))].join('\n'));
    expect(table.unknownHeaders).toEqual([]);
    expect(table.rows).toMatchObject([{ row: 4, cells: { domain_name: 'a.example' } }]);
  });
  it('may lack the status: nothing is deployed then, until all are', () => {
    const table = tableOf('域名,协议,源站,影子域名\na.example,http,198.41.128.7,b.example\n');
    expect(table.columns).toEqual(['domain_name', 'protocol', 'upstreams', 'status', 'shadow_domains']);
    const state = new TableState(table);
    expect(state.summary.isStatusAssumed).toBe(true);
    expect(problemsOf(state)).toEqual(['2 shadow_domains: IMPORT_SHADOW_DOMAINS_NEED_RUNNING']);
    state.runAll();
    expect(state.summary).toMatchObject({ isStatusAssumed: false, bad: 0 });
    expect(state.sendable()).toMatchObject([{ domain_name: 'a.example', status: 'running' }]);
  });
  it('tells which columns are not read, and leaves absent ones out', () => {
    const table = tableOf('Domain name,Owner,protocol,upstreams,status\na.example,me,http,198.41.128.7,running\n');
    expect(table.unknownHeaders).toEqual(['Owner']);
    expect(table.rows[0]?.cells).not.toHaveProperty('remarks');
  });
});

describe('the rows while they are mended', () => {
  it('are told with row and column, those given twice too', () => {
    const state = stateOf(`a.example,${GOOD}`, 'b.example,ftp,,live,', `a.example,${GOOD}`, `c.example,${GOOD},more`);
    expect(problemsOf(state)).toEqual([
      '3 upstreams: IMPORT_CELL_EMPTY',
      '3 remarks: IMPORT_CELL_EMPTY',
      '3 status: IMPORT_STATUS_UNKNOWN',
      '3 protocol: IMPORT_PROTOCOL_UNKNOWN',
      '4 domain_name: IMPORT_NAME_REPEATED',
      '5 null: IMPORT_EXTRA_CELLS',
    ]);
    expect(state.summary).toMatchObject({ total: 4, bad: 3, fillable: 1 });
    expect(state.sendable().map(({ row }) => row)).toEqual([2]);
  });
  it('are right once their cells are, and stay in sight until another page is looked at', () => {
    const state = stateOf('a.example,ftp,198.41.128.7,running,-', `b.example,${GOOD}`);
    const errors = () => state.view({ onlyErrors: true, page: 1, perPage: 20 }).rows.map(({ row }) => row);
    expect(errors()).toEqual([2]);
    state.edit(2, 'protocol', ' https ');
    expect(errors()).toEqual([2]);
    expect(state.summary.bad).toBe(0);
    state.view({ onlyErrors: false, page: 1, perPage: 20 });
    expect(errors()).toEqual([]);
    expect(state.sendable()[0]).toMatchObject({ row: 2, protocol: 'https' });
  });
  it('free the other row of a name when the first one changes', () => {
    const state = stateOf(`a.example,${GOOD}`, `a.example,${GOOD}`);
    expect(problemsOf(state)).toEqual(['3 domain_name: IMPORT_NAME_REPEATED']);
    state.edit(2, 'domain_name', 'b.example');
    expect(problemsOf(state)).toEqual([]);
  });
  it('can be removed and brought back', () => {
    const state = stateOf(`a.example,${GOOD}`, 'no,http,198.41.128.7,running,-', `b.example,${GOOD}`);
    state.removeBad();
    expect(state.summary).toMatchObject({ total: 2, bad: 0, removed: 1 });
    state.restore();
    expect(state.view({ onlyErrors: false, page: 1, perPage: 9 }).rows.map(({ row }) => row)).toEqual([2, 3, 4]);
    state.remove(2);
    expect(state.summary.total).toBe(2);
  });
  it('get their empty optional cells filled, no others', () => {
    const state = stateOf('a.example,http,198.41.128.7,running,', ',http,198.41.128.7,running,');
    state.fillEmpty();
    expect(problemsOf(state)).toEqual(['3 domain_name: IMPORT_CELL_EMPTY']);
  });
  it('get names for URLs with one press, and say how many rows that are', () => {
    const header = `${HEADER},shadow_domains`;
    const row = (name: string, shadows: string) => `${name},${GOOD},"${shadows}"`;
    const lines = [header, row('https://www.a.example/shop', '-'), row('b.example', 'http://c.example, d.example')];
    const state = new TableState(tableOf([...lines, row('e.example', '-')].join('\n')));
    expect(state.summary).toMatchObject({ urls: 2, bad: 2 });
    state.splitUrls();
    expect(state.summary).toMatchObject({ urls: 0, bad: 0 });
    expect(state.sendable()).toMatchObject([
      { domain_name: 'www.a.example' },
      { domain_name: 'b.example', shadow_domains: 'c.example, d.example' },
      { domain_name: 'e.example' },
    ]);
  });
  it('get targets and their protocol for URLs with the same press', () => {
    const state = stateOf('a.example,,http://198.41.128.7:81/,running,-');
    expect(state.summary).toMatchObject({ urls: 1, bad: 1 });
    state.splitUrls();
    expect(state.summary).toMatchObject({ urls: 0, bad: 0 });
    expect(state.sendable()).toMatchObject([{ protocol: 'http', upstreams: '198.41.128.7:81' }]);
  });
  it('keep what the API said until they are changed or asked about again', () => {
    const state = stateOf(`a.example,${GOOD}`, `b.example,${GOOD}`);
    const taken = (row: number) => ({ row, column: 'domain_name' as const, code: 'DOMAIN_NAME_TAKEN' as const });
    state.takeRemote([2, 3], [taken(2), taken(3)]);
    expect(problemsOf(state)).toHaveLength(2);
    state.edit(2, 'domain_name', 'c.example');
    expect(problemsOf(state)).toEqual(['3 domain_name: DOMAIN_NAME_TAKEN']);
    state.takeRemote([2, 3], []);
    expect(state.summary.bad).toBe(0);
  });
  it('are checked by the API though they have a fault of their own, which is told once', () => {
    const state = stateOf(`bad name.example,${GOOD}`);
    expect(state.sendable()).toEqual([]);
    expect(state.checkable().map(({ row }) => row)).toEqual([2]);
    state.takeRemote(
      [2],
      [
        { row: 2, column: 'domain_name', code: 'DOMAIN_NAME_INVALID' },
        { row: 2, column: 'upstreams', code: 'UPSTREAM_FORBIDDEN', params: { target: '10.0.0.1' } },
      ],
    );
    expect(problemsOf(state)).toEqual(['2 domain_name: DOMAIN_NAME_INVALID', '2 upstreams: UPSTREAM_FORBIDDEN']);
  });
});

it('names the groups that are missing once, in whatever case and with whatever blanks', () => {
  const rows = ['North', 'NORTH', ' Team  East ', 'team east'].map((group, at) => `w${at}.example,${GOOD},${group}`);
  const state = new TableState(tableOf([`${HEADER},group`, ...rows].join('\n')));
  const all = [2, 3, 4, 5];
  state.takeRemote(
    all,
    all.map((row) => ({ row, column: 'group' as const, code: 'IMPORT_GROUP_UNKNOWN' as const })),
  );
  expect(state.summary.missingGroups).toEqual(['NORTH', 'team east']);
});
