import { describe, expect, it } from 'vitest';
import { readFile, readPasted } from './read-file';
import type { ENCODINGS } from './sheet';

const utf8 = (text: string) => new TextEncoder().encode(text);
const textsOf = (bytes: Uint8Array, encoding?: (typeof ENCODINGS)[number]) =>
  readFile(bytes, encoding).rows.map(({ cells }) => cells.map(({ text }) => text));
const problemOf = (bytes: Uint8Array): unknown => {
  try {
    readFile(bytes);
  } catch (error) {
    return error;
  }
  return undefined;
};
const HEADER = 'domain_name,protocol,upstreams,status,remarks';

/** Bytes of a text in GB 18030, found by decoding every two bytes there are. */
function gbk(text: string): Uint8Array {
  const decoder = new TextDecoder('gb18030');
  const table = new Map<string, number[]>();
  for (let high = 0x81; high <= 0xfe; high++)
    for (let low = 0x40; low <= 0xfe; low++) table.set(decoder.decode(new Uint8Array([high, low])), [high, low]);
  return new Uint8Array([...text].flatMap((char) => (char < '\x80' ? [char.charCodeAt(0)] : (table.get(char) ?? []))));
}

describe('separators', () => {
  it.each([
    ['commas', ','],
    ['semicolons', ';'],
    ['tabs', '\t'],
  ])('%s are recognised, also where a cell holds many of the others', (_, separator) => {
    const rows = [
      HEADER.replaceAll(',', separator),
      ['a.example', 'http', '"1.1.1.1;1.1.1.2,1.1.1.3"', 'running', '-'].join(separator),
    ];
    expect(textsOf(utf8(rows.join('\n')))[1]).toEqual(['a.example', 'http', '1.1.1.1;1.1.1.2,1.1.1.3', 'running', '-']);
  });
  it("are believed when Excel's first line states them", () => {
    expect(readFile(utf8('sep=;\r\nx;y\r\n1,5;2\r\n')).rows).toEqual([
      { number: 2, cells: [{ text: 'x' }, { text: 'y' }] },
      { number: 3, cells: [{ text: '1,5' }, { text: '2' }] },
    ]);
  });
});

describe('a CSV file', () => {
  it('may have a byte order mark, CRLF, quotes with quotes and line ends inside', () => {
    const text = `\ufeff${HEADER}\r\n"a.example",http,"1.1.1.1\r\n1.1.1.2",running,"said ""yes"", twice"\r\n`;
    expect(textsOf(utf8(text))).toEqual([
      HEADER.split(','),
      ['a.example', 'http', '1.1.1.1\r\n1.1.1.2', 'running', 'said "yes", twice'],
    ]);
  });
  it('has rows numbered as a spreadsheet shows them; empty ones are left out', () => {
    const text = `${HEADER}\n"a\nb",1\n\n,,,,\n  ,\nc,2\n`;
    expect(readFile(utf8(text)).rows.map(({ number }) => number)).toEqual([1, 2, 6]);
  });
  it('loses the apostrophe that guards formulas in our own exports, and no other', () => {
    expect(textsOf(utf8(`remarks\n'=1+1\n'quoted'\n'+1`)).flat()).toEqual(['remarks', '=1+1', "'quoted'", '+1']);
  });
  it('keeps what looks like a formula as text', () => {
    expect(textsOf(utf8(`remarks\n"=HYPERLINK(""http://x"")"`))[1]).toEqual(['=HYPERLINK("http://x")']);
  });
});

describe('the encoding', () => {
  const text = '域名,备注\nwww.example.com,北京商店\n';
  it.each([
    ['utf-8', utf8(text)],
    ['utf-8', utf8(`\ufeff${text}`)],
    ['gb18030', gbk(text)],
    ['utf-16le', new Uint8Array(Uint16Array.from([...`\ufeff${text}`].map((char) => char.charCodeAt(0))).buffer)],
    [
      'utf-16le',
      new Uint8Array(
        Uint16Array.from([...`domain_name\t备注\nwww.example.com\t北京商店\n`].map((char) => char.charCodeAt(0)))
          .buffer,
      ),
    ],
  ] as const)('is found to be %s', (encoding, bytes) => {
    const sheet = readFile(bytes);
    expect(sheet.encoding).toBe(encoding);
    expect(sheet.rows[1]?.cells.map((cell) => cell.text)).toEqual(['www.example.com', '北京商店']);
  });
  it('can be told where it was guessed wrong', () => {
    // "北京" in Big5, which is valid in GB 18030 too.
    const bytes = new Uint8Array([...utf8('remarks\n'), 0xa5, 0x5f, 0xa8, 0xca]);
    expect(textsOf(bytes, 'big5')[1]).toEqual(['北京']);
    expect(textsOf(bytes)[1]).not.toEqual(['北京']);
  });
});

describe('what is refused', () => {
  it.each([
    ['nothing', new Uint8Array(), 'EMPTY'],
    ['an open quote', utf8(`${HEADER}\na,b,"c\nd,e,f\n`), 'QUOTE_OPEN'],
    ['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]), 'NOT_A_TABLE'],
    ['a PDF', utf8('%PDF-1.7\n'), 'NOT_A_TABLE'],
    ['more than 8 MB', new Uint8Array(8 * 1024 * 1024 + 1).fill(65), 'TOO_LARGE'],
    ['more than 5,000 rows', utf8(`x\n${'a\n'.repeat(5_001)}`), 'TOO_MANY_ROWS'],
    ['more than 50 columns', utf8(`${'a,'.repeat(50)}a\n`), 'TOO_MANY_COLUMNS'],
  ])('%s', (_, bytes, code) => {
    expect(problemOf(bytes)).toMatchObject({ name: 'FileProblem', code });
  });
});

it('what was copied out of a spreadsheet can be pasted', () => {
  expect(
    readPasted('域名\t协议\t源站\t状态\r\nwww.example.com\thttp\t1.1.1.1\trunning\r\n').rows[1]?.cells,
  ).toHaveLength(4);
});
