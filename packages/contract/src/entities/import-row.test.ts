import { describe, expect, it } from 'vitest';
import { findRepeatedNames, type ImportRow, importRow, isNoImportRow, readImportRow } from './import-row.ts';

const row = (cells: Partial<ImportRow> = {}): ImportRow => ({
  row: 7,
  domain_name: 'www.example.com',
  protocol: 'https',
  upstreams: '198.41.128.7',
  status: 'running',
  ...cells,
});
/** `column: CODE` of each problem. */
const problemsOf = (cells: Partial<ImportRow>) =>
  readImportRow(row(cells)).problems.map(({ column, code }) => `${column}: ${code}`);

describe('a row that is right', () => {
  it('becomes what one domain is added with', () => {
    expect(
      readImportRow(
        row({
          domain_name: ' WWW.Bücher.Example ',
          upstreams: '198.41.128.7:8443; [2606:4700::1]:443\norigin.example.net',
        }),
      ),
    ).toMatchObject({
      problems: [],
      name: 'www.xn--bcher-kva.example',
      domain: {
        row: 7,
        domain_name: 'www.xn--bcher-kva.example',
        status: 'running',
        group: '',
        remarks: '',
        upstreams: {
          protocol: 'https',
          targets: [
            { host: '198.41.128.7', port: 8443, weight: 1, backup: false },
            { host: '2606:4700::1', port: 443, weight: 1, backup: false },
            { host: 'origin.example.net', port: null, weight: 1, backup: false },
          ],
          connection_limit: 0,
          tls_verification: 'strict',
          tls_ca: null,
        },
      },
    });
  });
  it.each(['http+https', 'HTTP/HTTPS', 'Http_Https'])('may call the protocol %s', (protocol) => {
    expect(readImportRow(row({ protocol })).domain?.upstreams.protocol).toBe('http_https');
  });
  it('may have shadow domains, separated as one likes', () => {
    expect(
      readImportRow(row({ shadow_domains: 'shop.example.com, bücher.example；*.shop.example.com' })).domain
        ?.shadow_domains,
    ).toEqual(['shop.example.com', 'xn--bcher-kva.example', '*.shop.example.com']);
    expect(readImportRow(row({ shadow_domains: '-', status: 'deactivated' })).domain?.shadow_domains).toEqual([]);
    expect(readImportRow(row()).domain?.shadow_domains).toEqual([]);
  });
  it('may name a group, as one is named: what is not seen does not count', () => {
    expect(readImportRow(row({ group: ` North${' '.repeat(120)}\u200bshop ` })).domain?.group).toBe('North shop');
    expect(readImportRow(row({ group: '-' })).domain?.group).toBe('');
  });
  it('may say that there are no remarks', () => {
    expect(readImportRow(row({ remarks: '-' })).domain?.remarks).toBe('');
    expect(readImportRow(row({ remarks: ' Shop, north ' })).domain?.remarks).toBe('Shop, north');
  });
  it.each(['；', '，', ' ', '\n', '|', ', '])('may separate its targets by %j', (separator) => {
    expect(
      readImportRow(row({ upstreams: `198.41.128.7${separator}198.41.128.8` })).domain?.upstreams.targets,
    ).toHaveLength(2);
  });
});

describe('a row that is wrong', () => {
  it.each(['domain_name', 'protocol', 'upstreams', 'status', 'group', 'remarks', 'shadow_domains'] as const)(
    'with an empty cell: %s',
    (column) => {
      expect(problemsOf({ [column]: '  ' })).toEqual([`${column}: IMPORT_CELL_EMPTY`]);
    },
  );
  it.each([
    [{ status: 'on' }, 'status: IMPORT_STATUS_UNKNOWN'],
    [{ status: 'deleted' }, 'status: IMPORT_STATUS_UNKNOWN'],
    [{ protocol: 'ftp' }, 'protocol: IMPORT_PROTOCOL_UNKNOWN'],
    [{ domain_name: 'wildcard.example.com' }, 'domain_name: WILDCARD_LABEL_RESERVED'],
    [{ domain_name: `${'a'.repeat(64)}.example.com` }, 'domain_name: DOMAIN_LABEL_TOO_LONG'],
    [{ domain_name: 'https://example.com/' }, 'domain_name: DOMAIN_NAME_IS_URL'],
    [{ domain_name: 'exa_mple.com' }, 'domain_name: DOMAIN_NAME_INVALID'],
    [{ upstreams: '-' }, 'upstreams: UPSTREAM_REQUIRED'],
    [{ upstreams: ' ; ; ' }, 'upstreams: UPSTREAM_REQUIRED'],
    [{ upstreams: '0.0.0.0/0' }, 'upstreams: UPSTREAM_MASK_ZERO'],
    [{ upstreams: '198.41.128.0/24' }, 'upstreams: UPSTREAM_MASK'],
    [{ upstreams: 'https://198.41.128.7' }, 'upstreams: UPSTREAM_IS_URL'],
    [{ upstreams: '198.41.128.7:70000' }, 'upstreams: PORT_RANGE'],
    [{ upstreams: '198.41.128.7 198.41.128.7:443' }, 'upstreams: UPSTREAM_DUPLICATE'],
    [{ upstreams: '198.41.128.7:443', protocol: 'http_https' }, 'upstreams: PORT_FORBIDDEN'],
    [{ upstreams: Array.from({ length: 51 }, (_, at) => `198.41.128.${at}`).join(' ') }, 'upstreams: TOO_MANY'],
    [{ group: 'x'.repeat(101) }, 'group: TOO_LONG'],
    [{ group: `a${'\u0301'.repeat(40)}` }, 'group: TEXT_INVALID'],
    [{ remarks: 'x'.repeat(1001) }, 'remarks: TOO_LONG'],
    [{ shadow_domains: 'shop.example.com not_a_name' }, 'shadow_domains: DOMAIN_NAME_INVALID'],
    [{ shadow_domains: 'shop.example.com WWW.example.com' }, 'shadow_domains: SHADOW_IS_MAIN'],
    [{ shadow_domains: 'shop.example.com,shop.example.com' }, 'shadow_domains: DUPLICATE_ENTRY'],
    [
      { shadow_domains: 'shop.example.com', status: 'deactivated' },
      'shadow_domains: IMPORT_SHADOW_DOMAINS_NEED_RUNNING',
    ],
  ])('%j', (cells, problem) => {
    const reading = readImportRow(row(cells));
    expect(reading.domain).toBeUndefined();
    expect(reading.problems.map(({ column, code }) => `${column}: ${code}`)).toEqual([problem]);
    expect(reading.problems[0]?.row).toBe(7);
  });
  it('is told with every cell that is wrong, and with the target', () => {
    expect(
      problemsOf({ domain_name: 'no', protocol: 'ftp', upstreams: '198.41.128.7 10.0.0.0/8', status: '' }),
    ).toEqual([
      'status: IMPORT_CELL_EMPTY',
      'domain_name: DOMAIN_NAME_NEEDS_DOT',
      'protocol: IMPORT_PROTOCOL_UNKNOWN',
      'upstreams: UPSTREAM_MASK',
    ]);
    expect(readImportRow(row({ upstreams: '198.41.128.7 10.0.0.0/8' })).problems[0]?.params).toEqual({
      target: '10.0.0.0/8',
    });
  });
  it('is told of ten faults of a cell at most', () => {
    const { domain, shadowDomains, problems } = readImportRow(
      row({ shadow_domains: `shop.example.com ${'a '.repeat(500)}blog.example.com`, remarks: ' ' }),
    );
    expect(domain).toBeUndefined();
    // Beyond them the cell is not read.
    expect(shadowDomains).toEqual(['shop.example.com']);
    expect(problems.filter(({ column }) => column === 'shadow_domains')).toHaveLength(10);
    expect(problems.filter(({ column }) => column === 'remarks')).toHaveLength(1);
  });
  it('is refused by the call when a cell is longer than any cell', () => {
    expect(importRow.safeParse(row({ upstreams: 'x'.repeat(2001) })).success).toBe(false);
    expect(importRow.safeParse({ ...row(), colour: 'red' }).success).toBe(false);
  });
});

it('shadow domains given again in another row are told there, with the name', () => {
  const rows = [
    { row: 2, name: 'a.example', shadowDomains: ['x.example'] },
    { row: 3, name: 'x.example', shadowDomains: [] },
    { row: 4, name: 'b.example', shadowDomains: ['y.example', 'a.example', 'x.example'] },
    { row: 5, name: 'c.example', shadowDomains: ['y.example'] },
  ];
  expect(findRepeatedNames(rows).map(({ row, column, params }) => [row, column, params])).toEqual([
    [3, 'domain_name', { first: 2 }],
    [4, 'shadow_domains', { first: 2, target: 'a.example' }],
    [5, 'shadow_domains', { first: 4, target: 'y.example' }],
  ]);
});

it('names given twice are told at each row but the first, whatever else is wrong there', () => {
  const names = ['a.example', 'b.example', 'a.example', undefined, undefined, 'a.example'];
  expect(findRepeatedNames(names.map((name, at) => ({ row: at + 2, name, shadowDomains: [] })))).toEqual([
    { row: 4, column: 'domain_name', code: 'IMPORT_NAME_REPEATED', params: { first: 2 } },
    { row: 7, column: 'domain_name', code: 'IMPORT_NAME_REPEATED', params: { first: 2 } },
  ]);
  expect(readImportRow(row({ status: 'no' })).name).toBe('www.example.com');
});

it('names given twice are told also where both rows say that they have the same number', () => {
  const twice = [0, 1].map(() => ({ row: 2, name: 'a.example', shadowDomains: [] }));
  expect(findRepeatedNames(twice)).toEqual([
    { row: 2, column: 'domain_name', code: 'IMPORT_NAME_REPEATED', params: { first: 2 } },
  ]);
  const inOne = { row: 2, name: 'b.example', shadowDomains: ['b.example', 'b.example'] };
  expect(findRepeatedNames([inOne])).toEqual([]);
});

it.each([
  ['a character that cannot be stored', 'a\0b'],
  ['half of a pair', 'a\ud800b'],
  ['marks piled on one letter', `a${'\u0301'.repeat(40)}`],
])('says in which cell there is %s, so that the file can be checked without its row', (_, remarks) => {
  const cells = {
    row: 3,
    domain_name: 'www.example.com',
    protocol: 'http',
    upstreams: '198.41.128.7',
    status: 'running',
    remarks,
  };
  expect(readImportRow(cells).problems).toEqual([{ row: 3, column: 'remarks', code: 'TEXT_INVALID' }]);
  expect(isNoImportRow(cells)).toBe(true);
  expect(isNoImportRow({ ...cells, remarks: '北京 é' })).toBe(false);
  // What says more stands alone.
  const named = readImportRow({ ...cells, remarks: '-', domain_name: remarks }).problems;
  expect(named.map(({ column }) => column)).toEqual(['domain_name']);
});
