import { expect, test } from 'vitest';
import { checkGlossary, judgeWords, readGlossary } from './check-glossary.ts';

const glossary = readGlossary(`
| English | 中文 | never (English) | 不用（中文） |
| --- | --- | --- | --- |
| alias | 别名域名 | shadow domain, alias domain | 影子 |
| deploy | 部署 | publish | 发布 |
| wildcard | 泛域名 | | 通配 |
`);

test('the table says what is ruled out, in which language, and what to say instead', () => {
  expect(glossary).toEqual([
    { language: 'en', word: 'shadow domain', instead: 'alias' },
    { language: 'en', word: 'alias domain', instead: 'alias' },
    { language: 'zh', word: '影子', instead: '别名域名' },
    { language: 'en', word: 'publish', instead: 'deploy' },
    { language: 'zh', word: '发布', instead: '部署' },
    { language: 'zh', word: '通配', instead: '泛域名' },
  ]);
});

test('a word that is ruled out is found in its language only, whole, whatever its case', () => {
  expect(judgeWords('en', 'Add a Shadow domain', glossary)).toEqual(['“shadow domain” is ruled out: alias']);
  expect(judgeWords('en', 'The publisher of <link>unpublished</link> aliases', glossary)).toEqual([]);
  expect(judgeWords('zh', '添加影子域名', glossary)).toEqual(['“影子” is ruled out: 别名域名']);
  expect(judgeWords('en', '影子', glossary)).toEqual([]);
});

test('Chinese characters do not touch letters or numbers', () => {
  const touching = ['a Chinese character touches a letter or number: put a space between'];
  for (const text of [
    '5分钟',
    '共5 个',
    '设置CNAME 记录',
    '{n, plural, other {#个}}',
    '共{n, number} 个',
    '始于{time}',
    '由{who} 部署',
    '由 {who}部署',
    '{time}检查',
  ])
    expect(judgeWords('zh', text, glossary), text).toEqual(touching);
  for (const text of [
    '5 分钟',
    '设置 CNAME 记录',
    '{n, plural, other {# 个}}',
    '共 {n, number} 个',
    '（5），部署于 {time}',
    '始于 {time}',
    '来自{country}的访客',
    '与之前 {range}相比',
  ])
    expect(judgeWords('zh', text, glossary), text).toEqual([]);
});

test('how long ago stands first, and no space after it: it ends in Chinese, and begins with a number or with Chinese', () => {
  for (const text of ['部署于 {ago}', '{ago} 部署'])
    expect(judgeWords('zh', text, glossary), text).toEqual([
      'how long ago may begin with a Chinese character: put it first, with no space after it',
    ]);
  for (const text of ['{ago}部署 · {who}', '上次检查：{ago}'])
    expect(judgeWords('zh', text, glossary), text).toEqual([]);
});

test('Chinese has no space beside full-width marks and between characters, and no language two together', () => {
  for (const text of ['HTTP ，', '（ 5 ）', '您 的', '部署 （5）'])
    expect(judgeWords('zh', text, glossary), text).toEqual([
      'a space stands beside a full-width mark or between Chinese characters',
    ]);
  expect(judgeWords('en', 'Two  spaces', glossary)).toEqual(['two spaces stand together']);
});

test('a word that is ruled out is found inflected, and with a hyphen', () => {
  const ruledOut = ['publish', 'revoke', 'block list', 'by hand'].map((word) => ({
    language: 'en' as const,
    word,
    instead: '-',
  }));
  for (const text of [
    'Published by you',
    'publishing',
    'publishes',
    'Revoked',
    'revoking',
    'Block-lists',
    'set by-hand',
  ])
    expect(judgeWords('en', text, ruledOut), text).toHaveLength(1);
  for (const text of ['a publisher', 'blocked', 'beforehand'])
    expect(judgeWords('en', text, ruledOut), text).toEqual([]);
});

test('reads every catalog in both languages, and finds nothing in them', () => {
  const found = (language: 'en' | 'zh', word: string) => checkGlossary([{ language, word, instead: '-' }]);
  const [english, chinese] = [found('en', 'domain'), found('zh', '域名')];
  for (const problems of [english, chinese]) {
    expect(problems.some((one) => one.startsWith('apps/console/'))).toBe(true);
    expect(problems.some((one) => one.startsWith('packages/plugins/'))).toBe(true);
  }
  expect(english.every((one) => /\ben\b/.test(one))).toBe(true);
  expect(chinese.every((one) => /\bzh\b/.test(one))).toBe(true);
  expect(checkGlossary()).toEqual([]);
});
