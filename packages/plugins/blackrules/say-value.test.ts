import { expect, it } from 'vitest';
import { sayRule } from './condition-words.ts';
import en from './locales/en.json' with { type: 'json' };
import zh from './locales/zh.json' with { type: 'json' };
import { sayValue } from './say-value.ts';
import type { Part, Rule } from './schema.ts';

type Messages = { readonly [key: string]: Messages | string };
/** Messages of these sentences have plain parameters only, but for countries, which the console says by their names. */
const said = (param: unknown): string =>
  typeof param === 'object' ? `<${(param as { countries: string[] }).countries}>` : String(param);
const wordsOf =
  (catalog: Messages): Parameters<typeof sayValue>[2] =>
  (key, params = {}) => {
    const found = key.split('.').reduce<Messages | string | undefined>((at, part) => (at as Messages)?.[part], catalog);
    return String(found).replace(/\{(\w+)\}/g, (_, name: string) => said(params[name]));
  };
const english = wordsOf(en);
const text = (field: 'path' | 'query', value: string, more: object = {}): Part =>
  ({ field, test: 'begins_with', values: [value], ignore_case: false, not: false, ...more }) as Part;
const rule: Rule = {
  name: 'Stop login floods',
  action: 'block',
  enabled: true,
  when: {
    match: 'all',
    not: false,
    conditions: [
      text('path', '/cart'),
      { match: 'any', not: false, conditions: [text('query', 'a'), { field: 'country', values: ['DE'], not: true }] },
      { match: 'any', not: true, conditions: [text('path', '/x'), text('path', '/y')] },
    ],
  },
};

it('holds the place of what a rule does not say yet', () => {
  const when = { match: 'all', not: false, conditions: [text('path', '')] } as const;
  expect(sayRule({ action: 'block', when: { ...when, conditions: [...when.conditions] } }, wordsOf(zh))).toBe(
    '路径前缀为 …，则拦截',
  );
});

it('says a rule as a sentence, with brackets where "and" and "or" meet', () => {
  expect(sayValue('black_rules', rule, english)).toBe(
    'Stop login floods: block when Path begins with /cart and (Query begins with a or Country is not <DE>) and not (Path begins with /x or Path begins with /y)',
  );
  expect(sayValue('black_rules', rule, wordsOf(zh))).toBe(
    'Stop login floods：路径前缀为 /cart 且（查询字符串前缀为 a 或 国家和地区不属于 <DE>）且 非（路径前缀为 /x 或 路径前缀为 /y），则拦截',
  );
});

it('sets several values beside another condition apart: any of them will do', () => {
  const several = text('path', '', { values: ['/wp-login.php', '/a'] });
  const when = (match: 'all' | 'any', conditions: Part[]) => ({ match, not: false, conditions });
  const said = (match: 'all' | 'any', conditions: Part[]) =>
    sayRule({ action: 'block', when: when(match, conditions) }, english);
  expect(said('all', [several, text('query', 'a')])).toBe(
    'block when (Path begins with /wp-login.php or /a) and Query begins with a',
  );
  expect(said('any', [several, text('query', 'a')])).toBe(
    'block when Path begins with /wp-login.php or /a or Query begins with a',
  );
  expect(said('all', [several])).toBe('block when Path begins with /wp-login.php or /a');
});

it('says all that tells two rules apart: every value, letter case, whether it is on, what it does', () => {
  const values = ['/a', '/b', '/c', '/d'];
  const said = [
    rule,
    { ...rule, enabled: false },
    { ...rule, action: 'allow' as const },
    { ...rule, when: { ...rule.when, conditions: [text('path', '/a', { values })] } },
    { ...rule, when: { ...rule.when, conditions: [text('path', '/a', { values: [...values, '/e'] })] } },
    { ...rule, when: { ...rule.when, conditions: [text('path', '/a', { values, ignore_case: true })] } },
  ].map((one) => sayValue('black_rules', one, english));
  expect(new Set(said).size).toBe(said.length);
  expect(said[5]).toBe('Stop login floods: block when Path begins with /a, /b, /c or /d (case-insensitive)');
});

it.each([
  [
    'en',
    english,
    'Path begins with /cart',
    'block when Path begins with /cart',
    'block when Path begins with /cart (off)',
  ],
  ['zh', wordsOf(zh), '路径前缀为 /cart', '路径前缀为 /cart，则拦截', '路径前缀为 /cart，则拦截（关闭）'],
] as const)('says in %s the conditions of a rule once where they are its name', (_, words, name, on, off) => {
  const one: Rule = { ...rule, name, when: { match: 'all', not: false, conditions: [text('path', '/cart')] } };
  expect(sayValue('black_rules', one, words)).toBe(on);
  expect(sayValue('black_rules', { ...one, enabled: false }, words)).toBe(off);
});

it.each([
  [['GET'], 'block when Method is GET', '请求方法属于 GET，则拦截'],
  [['GET', 'PUT'], 'block when Method is GET or PUT', '请求方法属于 GET 或 PUT，则拦截'],
  [['GET', 'PUT', 'HEAD'], 'block when Method is GET, PUT or HEAD', '请求方法属于 GET、PUT 或 HEAD，则拦截'],
])('says of the values %j that any of them will do', (values, inEnglish, inChinese) => {
  const conditions: Part[] = [{ field: 'method', values, not: false } as Part];
  const one = { ...rule, when: { ...rule.when, conditions } };
  expect(sayValue('black_rules', one, english)).toBe(`Stop login floods: ${inEnglish}`);
  expect(sayValue('black_rules', one, wordsOf(zh))).toBe(`Stop login floods：${inChinese}`);
});

it('parts Chinese from words of another script alone', () => {
  const conditions = [{ field: 'asn', values: [64496], not: false }, text('path', '/a 中', { not: true })] as Part[];
  const one = { ...rule, when: { ...rule.when, conditions } };
  expect(sayValue('black_rules', one, wordsOf(zh))).toBe(
    'Stop login floods：ASN 属于 64496 且 路径前缀不为 /a 中，则拦截',
  );
});

it('has nothing to say of another field', () => {
  expect(sayValue('other', rule, english)).toBeUndefined();
});
