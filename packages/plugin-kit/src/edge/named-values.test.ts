import { describe, expect, it } from 'vitest';
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
    ['[a]=1', [], false],
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
    ['a = 1', [' 1', '1'], false],
    ['a=%41', ['%41', 'A'], true],
    ['a=1+%20', ['1+%20', '1+ ', '1+', '1  ', '1'], true],
    ['%61=1', ['1'], false],
    ['a[x]=1', ['1'], false],
    ['a="1"', ['"1"', '1'], true],
    ['a= "1"', [' "1"', '"1"', '1', ''], true],
    ['a="1', ['"1'], true],
    ['a="\\"\\\\\\101"', ['"\\"\\\\\\101"', '\\"\\\\\\101', '"\\A'], true],
    ['a="\\4\\400\\08"', ['"\\4\\400\\08"', '\\4\\400\\08', '440008'], true],
    ['a="1;2"', ['"1', '1;2'], true],
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
