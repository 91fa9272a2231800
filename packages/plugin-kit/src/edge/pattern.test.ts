import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { luaModuleName, runUnderLuaJit, toLuaLiteral } from '../testing/luajit.ts';
import { textOfBytes } from './byte-text.ts';
import { compilePattern, isFound } from './pattern.ts';

const FILE = join(dirname(fileURLToPath(import.meta.url)), 'pattern.ts');

function finds(source: string, text: string): boolean {
  const { pattern, fault } = compilePattern(source);
  if (!pattern) throw new Error(`${source}: ${fault?.code}`);
  return isFound(pattern, text);
}
const faultOf = (source: string) => {
  const { fault } = compilePattern(source);
  return fault && [fault.code, fault.at, fault.part];
};

/** Pattern, text, and whether it is found there. */
const EXAMPLES: readonly [string, string, boolean][] = [
  ['.*', '', true],
  ['', '/anything', true],
  ['login', '/user/login/', true],
  ['^/login$', '/login', true],
  ['^/login$', '/login/', false],
  ['^/login$', '/login\n', false],
  ['^/(login|register)(/|$)', '/register', true],
  ['^/(login|register)(/|$)', '/registered', false],
  ['\\.(php|aspx?)$', '/a.asp', true],
  ['\\.(php|aspx?)$', '/a.aspxx', false],
  ['^/[^/]+/\\d{2,3}$', '/a/123', true],
  ['^/[^/]+/\\d{2,3}$', '/a/1234', false],
  ['^/[^/]+/\\d{2,}$', '/a/12345', true],
  ['^a{3}$', 'aaa', true],
  ['^a{0}$', '', true],
  ['^(ab){2}c??$', 'ababc', true],
  ['a.c', 'a\nc', false],
  ['a[^b]c', 'a\nc', true],
  ['(?i)^/ADMIN[a-c]$', '/adminB', true],
  ['^/admin$', '/ADMIN', false],
  ['(?i)ä', 'Ä', false],
  ['^/.$', '/é', true],
  ['^/[^a]$', '/中', true],
  ['^/中+$', '/中中中', true],
  ['^/😀$', '/😀', true],
  ['^\\w+\\s\\S$', 'a_1 -', true],
  ['^\\W\\D$', '1a', false],
  ['[\\d.-]', '-', true],
  ['[a\\]]', ']', true],
  ['a|', 'b', true],
  ['^(?:|b)$', 'b', true],
  ['}]', '}]', true],
  ['x*', 'y', true],
  ['(x*)*$', 'xxy', true],
];

describe('a pattern', () => {
  it.each(EXAMPLES)('%s in %j is found: %s', (source, text, expected) => expect(finds(source, text)).toBe(expected));

  it('means the same under LuaJIT', () => {
    const script = [
      `local pattern = require(${toLuaLiteral(luaModuleName(FILE))})`,
      ...EXAMPLES.map(
        ([source, text]) =>
          `io.write(tostring(pattern.isFound(nil, pattern.compilePattern(nil, ${toLuaLiteral(source)}).pattern, ${toLuaLiteral(text)})), " ")`,
      ),
    ].join('\n');
    const found = runUnderLuaJit([FILE], script).trim().split(' ');
    expect(found).toEqual(EXAMPLES.map(([, , expected]) => String(expected)));
  }, 60_000);

  it('takes each byte that belongs to no character as one, as Node does', () => {
    const texts = ['/\xff', '/\xc3', '/\xc3\xa9', '/\xc3\xff', '/\x80\x80', '/\xed\xa0\x80', '/\xe0\x80\xaf'].map(
      textOfBytes,
    );
    const script = [
      `local pattern = require(${toLuaLiteral(luaModuleName(FILE))})`,
      'local one = pattern.compilePattern(nil, "^/.$").pattern',
      `for _, text in ipairs(${toLuaLiteral(texts)}) do io.write(tostring(pattern.isFound(nil, one, text)), " ") end`,
    ].join('\n');
    const found = runUnderLuaJit([FILE], script).trim().split(' ');
    expect(found.slice(0, 5)).toEqual(['true', 'true', 'true', 'false', 'false']);
    expect(texts.map((text) => String(finds('^/.$', text)))).toEqual(found);
    expect(finds('^/.$', Buffer.from([47, 255]).toString())).toBe(true);
  }, 60_000);

  it.each([
    ['(', 'PATTERN_UNFINISHED', 1, '('],
    ['a(b', 'PATTERN_UNFINISHED', 2, '('],
    ['a)', 'PATTERN_UNFINISHED', 2, ')'],
    ['[a', 'PATTERN_UNFINISHED', 1, '['],
    ['a\\', 'PATTERN_UNFINISHED', 2, '\\'],
    ['*a', 'PATTERN_NOTHING_TO_REPEAT', 1, '*'],
    ['a**', 'PATTERN_NOTHING_TO_REPEAT', 3, '*'],
    ['a|+', 'PATTERN_NOTHING_TO_REPEAT', 3, '+'],
    ['^*', 'PATTERN_NOTHING_TO_REPEAT', 2, '*'],
    ['a{2', 'PATTERN_UNFINISHED', 2, '{'],
    ['a{,2}', 'PATTERN_UNFINISHED', 2, '{'],
    ['a{3,2}', 'PATTERN_UNSUPPORTED', 2, '{3,2}'],
    ['a{1001}', 'PATTERN_TOO_LARGE', 2, '{1001}'],
    ['(?=a)', 'PATTERN_UNSUPPORTED', 1, '(?='],
    ['(?<n>a)', 'PATTERN_UNSUPPORTED', 1, '(?<'],
    ['(a)\\1', 'PATTERN_UNSUPPORTED', 4, '\\1'],
    ['\\bword', 'PATTERN_UNSUPPORTED', 1, '\\b'],
    ['a++', 'PATTERN_UNSUPPORTED', 3, '++'],
    ['[z-a]', 'PATTERN_CLASS_INVALID', 2, 'z-a'],
    ['[é]', 'PATTERN_CLASS_INVALID', 2, ''],
    ['[\\d-z]', 'PATTERN_CLASS_INVALID', 2, '\\d-'],
    ['[]]', 'PATTERN_CLASS_INVALID', 1, '[]'],
    ['[[:alpha:]]', 'PATTERN_UNSUPPORTED', 2, '[:'],
    ['((((((((((((((((((((((((((((((((a', 'PATTERN_TOO_LARGE', 31, '('],
    ['((a{100}){100}){100}', 'PATTERN_TOO_LARGE', 1, ''],
    ['a'.repeat(501), 'PATTERN_TOO_LARGE', 501, ''],
  ])('%s is refused: %s at %i', (source, code, at, part) => expect(faultOf(source)).toEqual([code, at, part]));

  it('finds what JavaScript finds, whatever the pattern', () => {
    const piece: fc.Arbitrary<string> = fc.letrec<{ node: string; atom: string }>((tie) => ({
      atom: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\d', '\\W', '1', 'é', '^', '$'),
        tie('node').map((inner) => `(?:${inner})`),
      ),
      node: fc
        .array(fc.tuple(tie('atom'), fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,2}', '*?')), {
          minLength: 1,
          maxLength: 4,
        })
        .chain((parts) => {
          const text = parts.map(([atom, times]) => (/^[\^$]$/.test(atom) ? atom : atom + times)).join('');
          return fc.tuple(fc.constant(text), fc.constantFrom('', '', '|a', '|')).map(([left, right]) => left + right);
        }),
    })).node;
    const text = fc.array(fc.constantFrom('a', 'b', '1', '-', 'é', '\n'), { maxLength: 8 }).map((all) => all.join(''));
    fc.assert(
      fc.property(piece, text, (source, given) => {
        expect([source, given, finds(source, given)]).toEqual([source, given, new RegExp(source, 'u').test(given)]);
      }),
      { numRuns: 3000 },
    );
  });

  it('costs no more than time in proportion to the text, whatever it is made for', () => {
    const { pattern } = compilePattern('^(a|aa|a.|.a)*(a|.){0,40}a.{60}b$');
    if (!pattern) throw new Error('no pattern');
    const texts = Array.from({ length: 50 }, (_, index) => 'aab'.repeat(2000) + 'a'.repeat(index));
    const before = process.cpuUsage().user;
    for (const text of texts) isFound(pattern, text);
    expect((process.cpuUsage().user - before) / texts.length).toBeLessThan(60_000);
    expect(pattern.stateCount).toBeLessThanOrEqual(300);
  });
});
