import { expect, it } from 'vitest';
import { fillPage, type PageContent, pageObject, renderHtml } from './page.ts';
import { retryTime } from './page-texts.ts';

const brand = {
  name: 'Cordon',
  hides_provider: false,
  primary_color: '#234fd0',
  abuse_contact: '',
  console_url: 'https://console.cordon.test',
};
const blocked = {
  kind: 'blocked',
  status: 403,
  requestId: 'r1',
  brand,
  language: 'en',
  isOfDomain: true,
} as PageContent;

it.each([
  ['en', 'Protected by <strong>Cordon</strong>'],
  ['zh', '安全防护服务商：<strong>Cordon</strong>'],
] as const)('names the provider as one writes in %s', (language, words) =>
  expect(renderHtml({ ...blocked, language })).toContain(words),
);

it('gives the visitor a link by which the owner finds the request', () => {
  const url = 'https://console.cordon.test/#/domain/list?request=r1';
  expect(renderHtml(blocked)).toContain(`<a href="${url}" rel="nofollow noreferrer">${url}</a>`);
  expect(renderHtml({ ...blocked, language: 'zh' })).toContain('<dt>供站点所有者查看</dt>');
  expect(pageObject(blocked, 'blocked')).toMatchObject({ request_id: 'r1', request_url: url });
});

it.each([
  ['the request is of no domain', { ...blocked, kind: 'bad_request', isOfDomain: false }],
  ['the page says what its owner has to do', { ...blocked, kind: 'not_pointed' }],
  ['the brand is not known yet', { ...blocked, brand: undefined }],
  ['the console has no address', { ...blocked, brand: { ...brand, console_url: '' } }],
] as const)('gives no link where %s', (_, content) => {
  expect(renderHtml(content as PageContent)).not.toContain('?request=');
  expect(pageObject(content as PageContent, 'x')).not.toHaveProperty('request_url');
});

it('fills the first marks of a page with values and all others with the id', () => {
  expect(fillPage(['a', 'b', 'c', 'd'], 'ID', ['1']).join('|')).toBe('a|1|b|ID|c|ID|d');
  expect(fillPage(['a'], 'ID').join('|')).toBe('a');
});

it.each([
  [1, '1 second', '1 秒'],
  [10, '10 seconds', '10 秒'],
  [60, '1 minute', '1 分钟'],
  [90, '90 seconds', '90 秒'],
  [121, '3 minutes', '3 分钟'],
  [600, '10 minutes', '10 分钟'],
  [3600, '1 hour', '1 小时'],
  [5400, '90 minutes', '90 分钟'],
  [86_400, '1 day', '1 天'],
  [2_592_000, '30 days', '30 天'],
])('says in how long to try again, of %s seconds', (seconds, en, zh) => {
  expect(retryTime('en', 'rate_limited', seconds)).toBe(en);
  expect(retryTime('zh', 'rate_limited', seconds)).toBe(zh);
});

it('says nothing of when to try again where it is not known, or the page has no words for it', () => {
  const limited = { ...blocked, kind: 'rate_limited' } as PageContent;
  expect(renderHtml({ ...limited, retryIn: '1 hour' })).toContain('Try again in 1 hour.</p>');
  expect(pageObject({ ...limited, retryIn: '1 hour' }, 'x').message).toContain('Try again in 1 hour.');
  expect(renderHtml({ ...limited, retryIn: retryTime('en', 'rate_limited', undefined) })).toContain('Try again later.');
  expect(retryTime('en', 'banned', 60)).toBe('');
});
