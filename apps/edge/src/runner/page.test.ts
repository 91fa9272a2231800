import { expect, it } from 'vitest';
import { fillPage, type PageContent, pageObject, renderHtml } from './page.ts';

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
