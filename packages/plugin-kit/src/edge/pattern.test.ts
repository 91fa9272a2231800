import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { luaModuleName, runUnderLuaJit, toLuaLiteral } from '../testing/luajit.ts';
import { textOfBytes } from './byte-text.ts';
import { compilePattern, isFound, type Pattern, patternFault } from './pattern.ts';

const FILE = join(dirname(fileURLToPath(import.meta.url)), 'pattern.ts');

function finds(source: string, text: string): boolean {
  const { pattern, fault } = compilePattern(source);
  if (!pattern) throw new Error(`${source}: ${fault?.code}`);
  return isFound(pattern, text);
}
const faultOf = (source: string) => {
  const fault = patternFault(source);
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

  it('takes memory in proportion to a text of bytes that belong to no character', () => {
    const script = [
      `local pattern = require(${toLuaLiteral(luaModuleName(FILE))})`,
      'local one = pattern.compilePattern(nil, "/login").pattern',
      'local text = "/" .. string.rep("\\255", 8000)',
      'collectgarbage() collectgarbage("stop")',
      'local before = collectgarbage("count")',
      'local found = pattern.isFound(nil, one, text)',
      'io.write(tostring(found), " ", collectgarbage("count") - before)',
    ].join('\n');
    const [found, kilobytes] = runUnderLuaJit([FILE], script).trim().split(' ');
    expect(found).toBe('false');
    expect(Number(kilobytes)).toBeLessThan(1500);
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
    // More ways without a byte than a pattern may have.
    ['(a?){900}', 'PATTERN_TOO_LARGE', 1, ''],
    // An automaton of 2^12, 2^60 and 1000 × 1000 states.
    ['a[ab]{12}c', 'PATTERN_TOO_COSTLY', 1, ''],
    ['^(a|aa|a.|.a)*(a|.){0,40}a.{60}b$', 'PATTERN_TOO_COSTLY', 1, ''],
    ['a{1000}', 'PATTERN_TOO_COSTLY', 1, ''],
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
  }, 60_000);

  it.each([
    ...['.*', '^/login', '\\.php$', '^/(login|register|wp-login\\.php)(/|$)', '(?i)^/wp-(admin|content|json)/'],
    ...[
      '^/api/v\\d{1,2}/users/[a-z0-9-]{8,36}$',
      '[0-9a-f]{32}',
      '^/[^/]{1,64}/(edit|delete)$',
      '/.*/.*\\.(php|aspx?)$',
    ],
    ...['(()?){900}[a-m]z!', '^/[^?]*(union|select|drop|insert|update|script|passwd|boot\\.ini)[^?]*$', 'x{200}'],
  ])('%s is none that costs too much', (source) => expect(faultOf(source)).toBeUndefined());

  it('of nothing but empty parts is looked for as quickly as one without them', () => {
    const { pattern } = compilePattern('(()?){900}[a-m][a-z]{6}!');
    if (!pattern) throw new Error('no pattern');
    const text = Array.from({ length: 8000 }, (_, at) => 'abcdefghijklmnopqrstuvwxyz'[(at * 7919) % 26]).join('');
    const before = process.cpuUsage().user;
    expect(isFound(pattern, text)).toBe(false);
    expect(process.cpuUsage().user - before).toBeLessThan(30_000);
  });

  /** States that can be come to from the start. */
  const held = (pattern: Pattern): number => {
    const seen = new Set([pattern.start]);
    for (const state of seen) for (const next of Object.values(state.after)) if (next) seen.add(next);
    return seen.size;
  };

  it.each(['^(a|aa|a.|.a)*(a|.){0,40}a.{60}b$', 'a[ab]{12}c'])(
    '%s, stored before such patterns were refused, costs little time and memory for ever',
    (source) => {
      const { pattern } = compilePattern(source);
      if (!pattern) throw new Error('no pattern');
      let seed = 1;
      const letter = () => {
        seed = (seed * 48271) % 2147483647;
        return 'ab'[seed % 2];
      };
      const texts = Array.from({ length: 300 }, () => Array.from({ length: 2500 }, letter).join(''));
      const before = process.cpuUsage().user;
      for (const text of texts) isFound(pattern, text);
      expect(process.cpuUsage().user - before).toBeLessThan(1_000_000);
      expect(held(pattern)).toBeLessThanOrEqual(1000);
      expect(pattern.stateCount).toBeLessThanOrEqual(1000);
      expect(pattern.visitCount).toBeLessThan(110_000);
    },
  );

  it.each(['a[ab]{12}c', '(a?){900}', '(()?){900}[a-m][a-z]{9}!', '((a|b|.){0,9}){0,40}x', '(.?){190}'])(
    '%s is judged without holding the loop',
    (source) => {
      const before = process.cpuUsage().user;
      for (let times = 0; times < 10; times++) patternFault(source);
      expect((process.cpuUsage().user - before) / 10).toBeLessThan(50_000);
    },
  );
});
