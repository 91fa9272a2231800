import { IMPORT_COLUMNS, type ImportRow, parseAddress, readImportRow, specialAddressKind } from '@cordon/contract';
import { expect, it } from 'vitest';
import { readFile } from './file/read-file';
import { openArchive } from './file/unpack';
import { readTable } from './read-table';
import { csvTemplate, type TemplateWords, xlsxTemplate } from './template';

const wordsOf = (locale: 'en' | 'zh'): TemplateWords => ({
  locale,
  domainsSheet: 'Domains & more',
  notesSheet: 'Notes',
  notesHeader: ['Column', 'Needed', 'What'],
  needed: (column) => (column === 'group' ? 'optional, - for none' : 'required'),
  about: (column) => `about <${column}>`,
  rules: ['first rule', 'second rule'],
  exampleRemark: '=example, "quoted"',
});
const LOCALES = ['en', 'zh'] as const;

it.each(LOCALES)('the templates in %s are read back with every column and the worked example', (locale) => {
  const csv = new TextEncoder().encode(`\ufeff${csvTemplate(wordsOf(locale))}`);
  for (const file of [csv, xlsxTemplate(wordsOf(locale))]) {
    const table = readTable(readFile(file));
    expect(table.columns).toEqual(IMPORT_COLUMNS);
    expect(table.unknownHeaders).toEqual([]);
    expect(table.rows).toHaveLength(1);
    expect(readImportRow({ ...(table.rows[0]?.cells as Omit<ImportRow, 'row'>), row: 2 })).toMatchObject({
      problems: [],
      domain: { domain_name: 'www.example.com', status: 'running', remarks: '=example, "quoted"' },
    });
  }
});

it('the example has addresses that are taken', () => {
  const table = readTable(readFile(xlsxTemplate(wordsOf('en'))));
  const hosts = table.rows[0]?.cells.upstreams?.split(' ').map((target) => target.split(':')[0] ?? '') ?? [];
  expect(hosts).toHaveLength(2);
  for (const host of hosts) {
    const address = parseAddress(host);
    expect(address && specialAddressKind(address)).toBeUndefined();
    expect(address).toBeDefined();
  }
});

it('the workbook offers the values of limited columns, and has a sheet of notes', () => {
  const archive = openArchive(xlsxTemplate(wordsOf('en')));
  const text = (name: string) => new TextDecoder().decode(archive.read(name));
  expect(text('xl/worksheets/sheet1.xml')).toContain('sqref="D2:D5001"><formula1>"running,deactivated"</formula1>');
  expect(text('xl/worksheets/sheet1.xml')).toContain('sqref="B2:B5001"><formula1>"http,https,http_https"</formula1>');
  expect(text('xl/worksheets/sheet2.xml')).toContain('about &lt;upstreams&gt;');
  expect(text('xl/worksheets/sheet2.xml').match(/optional, - for none/g)).toHaveLength(1);
  expect(text('xl/worksheets/sheet2.xml')).toContain('second rule');
  expect(text('xl/workbook.xml')).toContain('Domains &amp; more');
});
