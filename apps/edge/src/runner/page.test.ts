import { expect, it } from 'vitest';
import { type PageContent, renderHtml } from './page.ts';

const brand = { name: 'Cordon', hides_provider: false, primary_color: '#234fd0', abuse_contact: '' };
const blocked = { kind: 'blocked', status: 403, requestId: 'r1', brand } as unknown as PageContent;

it.each([
  ['en', 'Protected by <strong>Cordon</strong>'],
  ['zh', '安全防护服务商：<strong>Cordon</strong>'],
] as const)('names the provider as one writes in %s', (language, words) =>
  expect(renderHtml({ ...blocked, language })).toContain(words),
);
