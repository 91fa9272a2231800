import { candidateNames, isHostName } from '@cordon/contract/host-name';
import { prefersJson } from '@cordon/plugin-kit/accept';
import { describe, expect, it } from 'vitest';
import { acceptsHtml, pageLanguage } from './accept.ts';
import { renderHtml } from './page.ts';
import { pageLabels, pageTexts } from './page-texts.ts';

describe('host names', () => {
  it('are looked for from the exact one to the shortest wildcard', () => {
    expect(candidateNames('a.b.c')).toEqual(['a.b.c', '*.b.c', '*.c']);
    expect(candidateNames('localhost')).toEqual(['localhost']);
  });

  it('are told from what is none', () => {
    for (const name of ['a', 'a.b', 'a_b.c-d.e', '127.0.0.1', `${'a'.repeat(63)}.b`])
      expect(isHostName(name), name).toBe(true);
    for (const name of [
      '',
      '.',
      'a.',
      '.a',
      'a..b',
      'A.b',
      'a b',
      '*.a',
      'a/b',
      '[::1]',
      `${'a'.repeat(64)}.b`,
      'a.'.repeat(127),
    ])
      expect(isHostName(name), name).toBe(false);
  });
});

describe('what a visitor accepts', () => {
  it('decides the language', () => {
    expect(pageLanguage(undefined)).toBe('en');
    expect(pageLanguage('zh-TW')).toBe('zh');
    expect(pageLanguage('fr, zh;q=0.5')).toBe('zh');
    expect(pageLanguage('fr, zh;q=0.5, *;q=0.6')).toBe('en');
    expect(pageLanguage('zh;q=x')).toBe('en');
    expect(pageLanguage(',;,;q')).toBe('en');
  });

  it('decides between HTML and JSON', () => {
    expect(prefersJson(undefined)).toBe(false);
    expect(prefersJson('*/*')).toBe(false);
    expect(prefersJson('application/json')).toBe(true);
    expect(prefersJson('text/html, application/json')).toBe(false);
    expect(prefersJson('text/html;q=0.5, application/json')).toBe(true);
  });

  it('is not looked for behind what no browser sends', () => {
    expect(pageLanguage(`${','.repeat(49)}zh`)).toBe('zh');
    expect(pageLanguage(`${','.repeat(50)}zh`)).toBe('en');
    expect(pageLanguage(`zh${' '.repeat(999)}`)).toBe('en');
    expect(pageLanguage('zh;;;;;q=0, en;q=0.5')).toBe('en');
    expect(pageLanguage('zh;;;;;;q=0, en;q=0.5')).toBe('zh');
    expect(acceptsHtml(`text/html${','.repeat(15_000)}`)).toBe(false);
    expect(prefersJson(`application/json${','.repeat(15_000)}`)).toBe(false);
  });
});

describe('pages', () => {
  it('have the same texts in both languages', () => {
    expect(Object.keys(pageTexts.zh)).toEqual(Object.keys(pageTexts.en));
    expect(Object.keys(pageLabels.zh)).toEqual(Object.keys(pageLabels.en));
  });

  it('escape what a brand says, and take no colour that is none', () => {
    const html = renderHtml({
      kind: 'blocked',
      status: 403,
      language: 'en',
      requestId: '"><script>',
      isOfDomain: true,
      brand: {
        name: '<b>',
        primary_color: 'red;}body{display:none',
        abuse_contact: `x"'<>&@a.test`,
        console_url: '',
        hides_provider: false,
      },
    });
    expect(html).not.toContain('<script>');
    expect(html).not.toContain('<b>');
    expect(html).not.toContain('display:none');
    expect(html).toContain('x&quot;&#39;&lt;&gt;&amp;@a.test');
  });
});
