// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { supportedLocale } from './locale';

it.each([
  ['en', 'en'],
  ['zh', 'zh'],
  ['ZH', 'zh'],
  ['zh-CN', 'zh'],
  ['zh-Hans-CN', 'zh'],
  ['en-GB', 'en'],
])('%s asks for %s', (tag, expected) => expect(supportedLocale(tag)).toBe(expected));

it.each(['de', 'tlh', 'english', 'e', 'zh_CN', 'zh-', ''])('%s is no language of the console', (tag) =>
  expect(supportedLocale(tag)).toBeUndefined(),
);
