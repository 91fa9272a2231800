import { describe, expect, it } from 'vitest';
import { textOfBytes } from './byte-text.ts';
import { indexArguments, indexCookies, possibleValues } from './named-values.ts';

const ofArguments = (query: string, name = 'a') => possibleValues(indexArguments(query), name);
const ofCookies = (cookies: string, name = 'a') => possibleValues(indexCookies(cookies), name);

describe('what origins take an argument for', () => {
  it.each([
    ['a=1', ['1'], true],
    ['b=1', [], false],
    ['a', [''], true],
    ['a=', [''], true],
    ['a=1=2', ['1=2'], true],
    ['%61=%31', ['1'], true],
    ['a=b+c', ['b c', 'b+c'], true],
    ['a=%2B', ['+'], true],
    ['a=%4&b', ['%4'], true],
    ['a=%201%0a', [' 1\n', '1'], true],
    ['a=+', [' ', '', '+'], true],
    ['+a=1', ['1'], false],
    ['a+=1', ['1'], false],
    ['%20a=1', ['1'], false],
    ['a%00b=1', ['1'], false],
    ['a[]=1', ['1'], false],
    ['a[0][b]=1', ['1'], false],
    ['a%5b%5d=1', ['1'], false],
    ['a[=1', ['1'], false],
    ['[a]=1', ['1'], false],
    ['%5Ba%5D=1', ['1'], false],
    ['[a]a=1', ['1'], false],
    ['[ a ]=1', ['1'], false],
    ['a]=1', ['1'], false],
    ['[[a]]=1', ['1'], false],
    ['[]=1', [], false],
    ['a[x=y]=1', ['y]=1', '1'], false],
    ['a[x%3Dy]=1', ['1'], false],
    ['a%5Bx=y%5D=1', ['y]=1', '1'], false],
    ['a%5bx=y%5d=1', ['y]=1', '1'], false],
    ['a[x=y%5D=z]=1', ['y]=z]=1', '1', 'z]=1'], false],
    ['b=2;a[x=y]=1', ['y]=1', '1'], false],
    ['a=x]=1', ['x]=1'], false],
    ['b=1&a=]', [']'], true],
    ['a=1&[a]=2', ['1', '2', '1,2', '1, 2'], true],
    ['a=1;b=2', ['1;b=2', '1'], true],
    ['b=1;a=2', ['2'], false],
    ['a;b=2', [''], false],
    [';a=1', ['1'], false],
    ['a=1&a=2', ['1', '2', '1,2', '1, 2'], true],
    ['a=1&a[]=2', ['1', '2', '1,2', '1, 2'], true],
    ['a=1&a=2;a=3', ['1', '2;a=3', '2', '3', '1,2;a=3', '1, 2;a=3', '1,2,3', '1, 2, 3'], true],
  ])('%s', (query, values, isSure) => expect(ofArguments(query)).toEqual({ values, isSure }));

  it.each([
    ['a.b=1', 'a_b', ['1'], false],
    ['a.b=1', 'a.b', ['1'], true],
    ['a b[c]=1', 'a_b', ['1'], false],
    ['a[b=1', 'a_b', ['1'], false],
    ['a.b[c.d]=1', 'a.b', ['1'], false],
    ['a%20=1', 'a_', ['1'], false],
    ['a[]=1', 'a[]', ['1'], true],
    ['a+b=1', 'a b', ['1'], false],
    ['a;b=2', 'a;b', ['2'], false],
    ['[a]=1', '', [], false],
    ['__proto__=1', 'constructor', [], false],
    ['__proto__=1', '__proto__', ['1'], true],
  ])('%s for %s', (query, name, values, isSure) => expect(ofArguments(query, name)).toEqual({ values, isSure }));
});

describe('what origins take a cookie for', () => {
  it.each([
    ['a=1', ['1'], true],
    ['b=0; a=1;c=2', ['1'], true],
    ['a', [''], false],
    ['a=', [''], true],
    ['a=1=2', ['1=2'], true],
    ['a = 1', [' 1', '1', '', '1'], false],
    ['b=0 a =1', ['1'], false],
    ['b=0 a= 1', ['', '1'], false],
    ['b=0 a = 1 c', ['', '1'], false],
    ['b= a=1', ['1'], false],
    ['b a  =  1,2', ['', '1'], false],
    ['b =x a=1', ['1'], false],
    ['=x a=1', ['1'], false],
    ['b=0\f a\v= "1"', ['', '"1"', '1'], false],
    ['a=%41', ['%41', 'A'], true],
    ['a=1+%20', ['1+%20', '1+ ', '1+', '1  ', '1'], true],
    ['%61=1', ['1'], false],
    ['a[x]=1', ['1'], false],
    ['a="1"', ['"1"', '1'], true],
    ['a= "1"', [' "1"', '"1"', '1', '', '"1"', '1'], true],
    ['a="1', ['"1', ''], true],
    ['a="1X', ['"1X', '1'], true],
    ['a="', ['"', ''], true],
    ['a="%31é', ['"%31é', '"1é', textOfBytes('%31\xc3'), textOfBytes('1\xc3')], true],
    ['a="\\"\\\\\\101"', ['"\\"\\\\\\101"', '\\"\\\\\\101', '"\\A'], true],
    ['a="\\4\\400\\08"', ['"\\4\\400\\08"', '\\4\\400\\08', '440008'], true],
    ['a="1;2"', ['"1', '1;2', ''], true],
    ['b="1; a=2; 3"', ['2'], false],
    ['b="1\\"; a=2; 3"', ['2'], false],
    ['b="1"; a=2', ['2'], true],
    ['b="1; a=2', ['2'], false],
    ['b="1\\\\"; a=2', ['2'], true],
    ['b=1,a=2', ['2'], false],
    ['b=1 a=2', ['2'], false],
    ['a=1,b=2', ['1,b=2', '1'], true],
    ['a=1; a=2', ['1', '2'], true],
  ])('%s', (cookies, values, isSure) => expect(ofCookies(cookies)).toEqual({ values, isSure }));
});

const blanks = [
  ...[
    '\x1c',
    '\x1d',
    '\x1e',
    '\x1f',
    '\x01',
    '\u0085',
    '\u00a0',
    '\u1680',
    '\u180e',
    '\u2000',
    '\u200a',
    '\u2028',
    '\u2029',
  ],
  ...['\u202f', '\u205f', '\u3000', '\ufeff', textOfBytes('\x85'), textOfBytes('\xa0'), '\u2003\xa0 \u3000'],
];
const inks = ['à', '\u2010', '充', '😠', textOfBytes('\x86'), textOfBytes('\xe2\x80'), '\u200b', '\x7f'];

describe('blanks that only some origins know', () => {
  it.each(blanks.map((blank) => [encodeURI(JSON.stringify(blank)), blank]))('%s', (_, blank) => {
    for (const values of [ofArguments(`a=${blank}1${blank}`), ofCookies(`a=${blank}1${blank}`)])
      expect(values?.values).toContain('1');
    for (const values of [ofArguments(`${blank}a${blank}=1`), ofCookies(`b=0;${blank}a${blank}=1`)])
      expect(values).toEqual({ values: ['1'], isSure: false });
    expect(ofCookies(`a=${blank}"1"${blank}`)?.values).toContain('1');
    expect(ofArguments(`a=1${blank}2`)).toEqual({ values: [`1${blank}2`], isSure: true });
  });

  it.each(inks)('not %j', (ink) => {
    expect(ofArguments(`a=${ink}1${ink}`)).toEqual({ values: [`${ink}1${ink}`], isSure: true });
    expect(ofArguments(`${ink}a=1`)).toEqual({ values: [], isSure: false });
    expect(ofArguments(`${ink}a=1`, `${ink}a`)).toEqual({ values: ['1'], isSure: true });
  });
});

describe('what Express makes of a cookie', () => {
  it.each([
    ['j:"b"', 'b'],
    ['j:%22b%22', 'b'],
    ['j: "b" ', 'b'],
    ['j:"\\u0062"', 'b'],
    ['j:"\\u00E9\\uD83D\\uDE00\\n\\/\\""', 'é😀\n/"'],
    ['s:b.c', 'b'],
    ['s%3Ab.c.d', 'b.c'],
    ['s:j:"b".c', 'b'],
    ['j:"s:b.c"', 's:b.c'],
  ])('%s', (written, value) => expect(ofCookies(`a=${written}`)?.values).toContain(value));

  it.each(['j:', 'j:"b', 'j:"b"c', 'j:"\\x62"', 'j:"\\u006"', 'j:null', 'j:{"b":"c"}', 's:b', 's:s:'])(
    '%s stays as it is',
    (written) => {
      const values = ofCookies(`a=${written}`)?.values ?? [];
      expect(values[0]).toBe(written);
      expect(values).toHaveLength(written.includes('s:s') ? 1 : values.length);
      expect(values).not.toContain('b');
    },
  );

  it.each(['j:["b"]', 'j:1', 'j: -1', 'j:%5B%5D', 's:j:[].c', 'j:{"b":"\\u0063"}'])('%s is in doubt', (written) =>
    expect(ofCookies(`a=${written}`)).toBeUndefined(),
  );
});

it('does not take it for sure that a cookie’s name is not decoded', () =>
  expect(ofCookies('%61=1', '%61')).toEqual({ values: ['1'], isSure: false }));

it('looks at no more than any program sends', () => {
  const lists = (count: number) => Array.from({ length: count }, (_, at) => `a[${at}]=`);
  expect(ofArguments('a[]&'.repeat(1900), 'b')).toEqual({ values: [], isSure: false });
  expect(ofArguments(lists(750).join('&'), 'b')).toEqual({ values: [], isSure: false });
  expect(ofArguments(lists(751).join('&'), 'b')).toBeUndefined();
  expect(ofCookies(lists(751).join(';'), 'b')).toBeUndefined();
  const index = indexCookies('a=;'.repeat(3000));
  expect([possibleValues(index, 'a'), possibleValues(index, 'a')]).toEqual([undefined, undefined]);
  expect(possibleValues(index, 'b')).toEqual({ values: [], isSure: false });
});
