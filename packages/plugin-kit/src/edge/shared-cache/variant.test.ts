import { describe, expect, it } from 'vitest';
import { deviceOf, languageOf } from './variant.ts';

describe('deviceOf', () => {
  it.each([
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1',
      'mobile',
    ],
    ['Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36', 'mobile'],
    ['Mozilla/5.0 (Linux; Android 16; SM-X910) AppleWebKit/537.36 Chrome/140.0 Safari/537.36', 'tablet'],
    ['Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148', 'tablet'],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0', 'desktop'],
    ['curl/8.0', 'desktop'],
    ['', 'desktop'],
  ])('%s', (agent, device) => {
    expect(deviceOf(agent)).toBe(device);
  });
});

describe('languageOf: RFC 4647 3.4', () => {
  const languages = ['en', 'zh-Hans', 'de'];
  it.each([
    ['de-CH, en;q=0.5', 'de'],
    ['en;q=0.4, zh-Hans-CN;q=0.9', 'zh-Hans'],
    ['ZH-HANS', 'zh-Hans'],
    ['zh-Hans-x-private', 'zh-Hans'],
    ['fr, *', 'en'],
    ['', 'en'],
    ['de;q=0', 'en'],
    ['de;q=2, zh-Hans;q=0.1', 'zh-Hans'],
    ['de;q=x', 'en'],
  ])('%s', (accepted, language) => {
    expect(languageOf(accepted, languages)).toBe(language);
  });

  it('none of none', () => {
    expect(languageOf('de', [])).toBe('');
  });
});
