import { describe, expect, it } from 'vitest';
import { fuzzyScore } from './fuzzy';

const ranked = (query: string, things: readonly (readonly string[])[]) =>
  things
    .map((texts) => ({ name: texts[0], score: fuzzyScore(query, { names: texts }) }))
    .filter(({ score }) => score !== undefined)
    .sort((left, right) => (right.score ?? 0) - (left.score ?? 0))
    .map(({ name }) => name);

describe('fuzzyScore', () => {
  it('puts a whole match before a beginning, a label, a word, a part; letters that lie apart are none of a name', () => {
    const names = ['s-h-o-p.example', 'myshop.example', 'a-shop.example', 'www.shop.example', 'shop.example', 'shop'];
    expect(
      ranked(
        'shop',
        names.map((name) => [name]),
      ),
    ).toEqual(['shop', 'shop.example', 'www.shop.example', 'a-shop.example', 'myshop.example']);
  });

  it('takes a dot at the end for that of a label or of a whole name', () => {
    const names = ['site1.example', 'site10.example', 'example'].map((name) => [name]);
    expect(ranked('site1.', names)).toEqual(['site1.example']);
    expect(ranked('site1.example.', names)).toEqual(['site1.example']);
    expect(ranked('example.', names)).toEqual(['example', 'site1.example', 'site10.example']);
  });

  it('finds an internationalised name as it is read, as DNS writes it, and without its accents', () => {
    const book = ['bücher.example', 'xn--bcher-kva.example'];
    for (const query of ['bücher', 'BÜCHER', 'xn--bcher', 'bucher', 'bcher-kva'])
      expect(fuzzyScore(query, { names: book })).toBeGreaterThan(0);
    expect(fuzzyScore('bucherei', { names: book })).toBeUndefined();
  });

  it('finds Chinese by its characters, together or apart, without pinyin', () => {
    expect(fuzzyScore('域名', { labels: ['添加域名'] })).toBeGreaterThan(0);
    expect(fuzzyScore('切语言', { labels: ['切换到语言'] })).toBeGreaterThan(0);
    expect(fuzzyScore('例子', { names: ['例子.测试', 'xn--fsqu00a.xn--0zwm56d'] })).toBeGreaterThan(0);
    expect(fuzzyScore('yuming', { labels: ['添加域名'] })).toBeUndefined();
  });

  it('wants every word, in whatever order and text', () => {
    const texts = ['Deploy a domain', 'publish release'];
    expect(fuzzyScore('domain deploy', { labels: texts })).toBeGreaterThan(0);
    expect(fuzzyScore('release domain', { labels: texts })).toBeGreaterThan(0);
    expect(fuzzyScore('deploy zebra', { labels: texts })).toBeUndefined();
    expect(fuzzyScore('', { labels: texts })).toBe(0);
  });

  it('does not find letters that lie anywhere in a long name', () => {
    const long = 'a-very-long-domain-name-for-testing-ellipses-and-layouts-in-narrow-places.example';
    for (const typed of ['delete', 'clone', 'find', 'lang'])
      expect(fuzzyScore(typed, { names: [long] }), typed).toBeUndefined();
  });

  it('does not take two letters that lie anywhere for a match', () => {
    expect(fuzzyScore('dn', { labels: ['Deploy a domain'] })).toBeUndefined();
  });
});
