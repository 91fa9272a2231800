import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { textRows, workbook } from '../testing/workbook';
import { readFile } from './read-file';
import { readXlsx } from './read-xlsx';
import { openArchive } from './unpack';

const textsOf = (bytes: Uint8Array) => readXlsx(bytes).rows.map(({ cells }) => cells.map(({ text }) => text));
const problemOf = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('a workbook', () => {
  it('gives shared and inline texts, rich ones whole and without reading aids', () => {
    const bytes = workbook({
      strings:
        '<si><t>域名</t></si><si><r><t>www.</t></r><r><rPr/><t xml:space="preserve">a &amp; b </t></r><rPh><t>ruby</t></rPh></si><si><t>two_x000A_lines</t></si>',
      rows: '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c></row>',
    });
    expect(textsOf(bytes)).toEqual([['域名', 'www.a & b ', 'two\nlines']]);
  });
  it('gives numbers and truth as they are typed', () => {
    const rows =
      '<row r="1"><c r="A1"><v>80</v></c><c r="B1"><v>0.10000000000000001</v></c><c r="C1" t="b"><v>1</v></c></row>';
    expect(textsOf(workbook({ rows }))).toEqual([['80', '0.1', 'TRUE']]);
  });
  it('keeps the rows’ own numbers, and leaves out empty ones', () => {
    const rows = `${textRows([['a']])}<row r="2"/><row r="3"><c r="A3" s="1"/></row><row r="7"><c r="C7" t="str"><v>x</v></c></row><row r="1048576"/>`;
    expect(readXlsx(workbook({ rows })).rows).toEqual([
      { number: 1, cells: [{ text: 'a' }] },
      { number: 7, cells: [{ text: '' }, { text: '' }, { text: 'x' }] },
    ]);
  });
  it.each(['-5', 'abc', '1e9', '2.5', '2', '0', ''])(
    'gives a row whose number cannot be %j that of the next one',
    (r) => {
      const rows = `${textRows([['a'], ['b']])}<row r="${r}"><c t="str"><v>c</v></c></row><row r="9"><c t="str"><v>d</v></c></row>`;
      expect(readXlsx(workbook({ rows })).rows.map(({ number }) => number)).toEqual([1, 2, 3, 9]);
    },
  );
  it('never takes a date for a text, in whatever format it is shown', () => {
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="yyyy&quot;年&quot;m&quot;月&quot;"/><numFmt numFmtId="165" formatCode="[Red]0.0&quot; days&quot;"/></numFmts>' +
      '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs>';
    const rows = `<row r="1">${[0, 1, 2, 3].map((style) => `<c s="${style}"><v>45000</v></c>`).join('')}<c t="d"><v>2026-11-20</v></c></row>`;
    expect(readXlsx(workbook({ rows, styles })).rows[0]?.cells.map(({ flaw }) => flaw)).toEqual([
      undefined,
      'IMPORT_CELL_FORMAT',
      'IMPORT_CELL_FORMAT',
      undefined,
      'IMPORT_CELL_FORMAT',
    ]);
  });
  it('takes a formula’s kept result, and refuses one without; an error is no text', () => {
    const rows =
      '<row r="1"><c r="A1" t="str"><f>"www."&amp;B1</f><v>www.example.com</v></c><c r="B1"><f>NOW()</f></c><c r="C1" t="e"><f>1/0</f><v>#DIV/0!</v></c></row>';
    expect(readXlsx(workbook({ rows })).rows[0]?.cells).toEqual([
      { text: 'www.example.com' },
      { text: '', flaw: 'IMPORT_CELL_FORMULA' },
      { text: '#DIV/0!', flaw: 'IMPORT_CELL_FORMAT' },
    ]);
  });
  it('is read from its first sheet that is shown', () => {
    const sheets = '<sheet name="x" sheetId="1" state="hidden" r:id="rId1"/><sheet name="y" sheetId="2" r:id="rId2"/>';
    const second = strToU8(
      '<x:worksheet xmlns:x="http://purl.oclc.org/ooxml/spreadsheetml/main"><x:sheetData><x:row><x:c t="str"><x:v>second</x:v></x:c></x:row></x:sheetData></x:worksheet>',
    );
    expect(
      textsOf(workbook({ rows: textRows([['first']]), sheets, extra: { 'xl/worksheets/sheet2.xml': second } })),
    ).toEqual([['second']]);
  });
});

describe('what a workbook may not do', () => {
  it('unpack to more than a table needs, however small it is', () => {
    const bomb = workbook({
      rows: textRows([['a']]),
      extra: { 'xl/sharedStrings.xml': new Uint8Array(49 * 1024 * 1024) },
    });
    expect(bomb.length).toBeLessThan(200_000);
    expect(problemOf(() => readFile(bomb))).toMatchObject({ code: 'UNPACKED_TOO_LARGE' });
  });
  it('spread it over several parts', () => {
    const archive = openArchive(zipSync({ a: new Uint8Array(800), b: new Uint8Array(800) }), 1_000);
    expect(archive.read('a')).toHaveLength(800);
    expect(problemOf(() => archive.read('b'))).toMatchObject({ code: 'UNPACKED_TOO_LARGE' });
  });
  it('lie about its size', () => {
    const bytes = zipSync({ a: new Uint8Array(5_000_000) });
    const view = new DataView(bytes.buffer);
    // The unpacked size in the part's own header, and in the directory.
    view.setUint32(22, 10, true);
    view.setUint32(bytes.length - 22 - 46 - 1 + 24, 10, true);
    expect(problemOf(() => openArchive(bytes, 1_000_000).read('a'))).toMatchObject({ code: 'UNPACKED_TOO_LARGE' });
  });
  it('hold other parts that are unpacked without being needed', () => {
    const extra = { 'xl/media/bomb.png': new Uint8Array(49 * 1024 * 1024) };
    expect(textsOf(workbook({ rows: textRows([['a']]), extra }))).toEqual([['a']]);
  });
  it('have more rows, columns or characters than the bounds', () => {
    const many = Array.from({ length: 5_002 }, (_, at) => [String(at)]);
    expect(problemOf(() => readXlsx(workbook({ rows: textRows(many) })))).toMatchObject({
      code: 'TOO_MANY_ROWS',
      params: { maximum: 5_000 },
    });
    expect(textsOf(workbook({ rows: textRows(many.slice(1)) }))).toHaveLength(5_001);
    const far = '<row r="1"><c r="XFD1" t="str"><v>x</v></c></row>';
    expect(problemOf(() => readXlsx(workbook({ rows: far })))).toMatchObject({ code: 'TOO_MANY_COLUMNS' });
    const long = readXlsx(workbook({ rows: textRows([['x'.repeat(2_001)]]) })).rows[0]?.cells[0];
    expect(long).toEqual({ text: 'x'.repeat(2_000), flaw: 'TOO_LONG' });
  });
  it('expand entities of its own', () => {
    const lol = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><worksheet><sheetData><row><c t="str"><v>&b;</v></c></row></sheetData></worksheet>`;
    expect(textsOf(workbook({ rows: '', extra: { 'xl/worksheets/sheet1.xml': strToU8(lol) } }))).toEqual([['&b;']]);
  });
  it.each([
    ['cut short', (bytes: Uint8Array) => bytes.slice(0, bytes.length - 30)],
    ['without its directory', (bytes: Uint8Array) => bytes.slice(0, 60)],
    [
      'with noise in a part',
      (bytes: Uint8Array) => bytes.map((byte, at) => (at > 900 && at < 1_000 ? byte ^ 0x5a : byte)),
    ],
  ])('be damaged: %s', (_, damage) => {
    const bytes = damage(
      workbook({ rows: textRows(Array.from({ length: 50 }, (__, at) => [`row-${at * 7919}.example`])) }),
    );
    expect(problemOf(() => readFile(bytes))).toMatchObject({
      name: 'FileProblem',
      code: expect.stringMatching(/DAMAGED|EMPTY/),
    });
  });
  it('be something else', () => {
    expect(problemOf(() => readFile(zipSync({ 'word/document.xml': strToU8('<x/>') })))).toMatchObject({
      code: 'NOT_A_TABLE',
    });
    expect(problemOf(() => readFile(new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 1, 2])))).toMatchObject({
      code: 'OLD_EXCEL',
    });
  });
});
