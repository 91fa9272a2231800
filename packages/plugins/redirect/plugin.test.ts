import { fieldErrorsOf } from '@cordon/contract';
import { schemaDefaults } from '@cordon/plugin-kit/schema';
import { describe, expect, it } from 'vitest';
import { definition } from './plugin.ts';
import { schema } from './schema.ts';

function fault(url: unknown): string | undefined {
  const parsed = schema.safeParse({ redirect_url: url });
  return parsed.success ? undefined : fieldErrorsOf(parsed.error).fields.redirect_url;
}
const read = (url: string) => schema.parse({ redirect_url: url }).redirect_url;

describe('the schema', () => {
  it('has the defaults of the specification', () => {
    expect(schemaDefaults(schema)).toEqual({ preserve_path: false });
    expect(schema.parse({ redirect_url: 'https://example.org/a' })).toEqual({
      redirect_url: 'https://example.org/a',
      preserve_path: false,
    });
  });

  it('writes the address as it is sent', () => {
    expect(read('  https://Example.ORG ')).toBe('https://example.org/');
    expect(read('HTTP://example.org:80/ä?ö#ü')).toBe('http://example.org/%C3%A4?%C3%B6#%C3%BC');
    expect(read('https://bücher.example/')).toBe('https://xn--bcher-kva.example/');
    expect(read('https://[2606:4700::1]:8443/')).toBe('https://[2606:4700::1]:8443/');
    expect(read('https://example.org/@name?mail=a@b.org')).toBe('https://example.org/@name?mail=a@b.org');
  });

  it.each([
    ['', 'REQUIRED'],
    ['   ', 'REQUIRED'],
    [undefined, 'REQUIRED'],
    [5, 'INVALID_TYPE'],
    ['www.example.org', 'URL_INVALID'],
    ['/welcome', 'URL_INVALID'],
    ['//example.org/', 'URL_INVALID'],
    ['https:example.org', 'URL_INVALID'],
    ['https:///example.org', 'URL_INVALID'],
    ['https://', 'URL_INVALID'],
    ['https://a b.org/', 'URL_INVALID'],
    ['https://example.org/a b', 'URL_INVALID'],
    ['https://example.org:99999/', 'URL_INVALID'],
    ['javascript:alert(1)', 'URL_INVALID'],
    ['javascript://example.org/%0aalert(1)', 'URL_INVALID'],
    ['data:text/html,hello', 'URL_INVALID'],
    ['ftp://example.org/', 'URL_INVALID'],
    ['https://example.org/\r\nSet-Cookie: a=b', 'URL_INVALID'],
    ['https://example.org/a\nb', 'URL_INVALID'],
    ['https://example.org/a\tb', 'URL_INVALID'],
    ['https://example.org/\u0000', 'TEXT_INVALID'],
    ['https://example.org\\@evil.test/', 'URL_INVALID'],
    ['https://user:secret@example.org/', 'URL_CREDENTIALS'],
    ['https://user@example.org/', 'URL_CREDENTIALS'],
    ['https://@example.org/', 'URL_CREDENTIALS'],
    [`https://example.org/${'a'.repeat(2048)}`, 'TOO_LONG'],
    [`https://example.org/${'ä'.repeat(1000)}`, 'TOO_LONG'],
  ])('refuses %j as %s', (url, code) => expect(fault(url)).toBe(code));

  it('knows no other field', () => {
    const parsed = schema.safeParse({ redirect_url: 'https://example.org/', status: 301 });
    expect(parsed.success ? {} : fieldErrorsOf(parsed.error).fields).toEqual({ status: 'UNKNOWN_FIELD' });
  });
});

it('tells where visitors are sent, so that the API can detect redirect loops', () => {
  expect(definition.visitorTargets?.(schema.parse({ redirect_url: 'https://example.org' }))).toEqual([
    { path: 'redirect_url', url: 'https://example.org/' },
  ]);
});

it('sums up the address and whether the path is kept, and warns of what is not encrypted', () => {
  const fixed = schema.parse({ redirect_url: 'https://example.org/' });
  const kept = schema.parse({ redirect_url: 'http://example.org/', preserve_path: true });
  expect(definition.summary(fixed)).toEqual({ message: 'summary.fixed', params: { url: 'https://example.org/' } });
  expect(definition.summary(kept)).toEqual({ message: 'summary.with_path', params: { url: 'http://example.org/' } });
  expect(definition.notices(fixed)).toEqual([]);
  expect(definition.notices(kept)).toEqual([{ path: 'redirect_url', message: 'notices.not_encrypted', params: {} }]);
});
