import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseDomainName } from './domain-name.ts';

describe('parseDomainName', () => {
  it.each([
    ['example.com', 'example.com'],
    ['  WWW.Example.COM ', 'www.example.com'],
    ['*.example.com', '*.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['例子.中国', 'xn--fsqu00a.xn--fiqs8s'],
    [`${'a'.repeat(63)}.com`, `${'a'.repeat(63)}.com`],
    ['a-b.c-d.example', 'a-b.c-d.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['*.XN--BCHER-KVA.bücher.example', '*.xn--bcher-kva.xn--bcher-kva.example'],
  ])('takes %s as %s', (input, name) => expect(parseDomainName(input)).toEqual({ ok: true, name }));

  it.each([
    ['', 'REQUIRED'],
    ['example.com.', 'DOMAIN_NAME_TRAILING_DOT'],
    ['https://example.com', 'DOMAIN_NAME_IS_URL'],
    ['example.com/path', 'DOMAIN_NAME_IS_URL'],
    ['localhost', 'DOMAIN_NAME_NEEDS_DOT'],
    ['*.com', 'WILDCARD_OF_PUBLIC_SUFFIX'],
    ['*.xn--p1ai', 'WILDCARD_OF_PUBLIC_SUFFIX'],
    ['192.0.2.1', 'DOMAIN_NAME_IS_ADDRESS'],
    ['2001:db8::1', 'DOMAIN_NAME_IS_ADDRESS'],
    ['bad_domain.com', 'DOMAIN_NAME_INVALID'],
    ['a..com', 'DOMAIN_NAME_INVALID'],
    ['bü%63her.com', 'DOMAIN_NAME_INVALID'],
    ['xn--a.com', 'DOMAIN_LABEL_UNREADABLE'],
    ['*.www.xn--99999999.com', 'DOMAIN_LABEL_UNREADABLE'],
    ['xn--a.bücher.example', 'DOMAIN_LABEL_UNREADABLE'],
    ['-a.com', 'DOMAIN_LABEL_HYPHEN'],
    ['a-.com', 'DOMAIN_LABEL_HYPHEN'],
    [`${'a'.repeat(64)}.com`, 'DOMAIN_LABEL_TOO_LONG'],
    [`${'a.'.repeat(130)}com`, 'DOMAIN_NAME_TOO_LONG'],
    ['wildcard.example.com', 'WILDCARD_LABEL_RESERVED'],
    ['*.wildcard.example.com', 'WILDCARD_LABEL_RESERVED'],
    ['a.*.example.com', 'WILDCARD_MALFORMED'],
    ['*a.example.com', 'WILDCARD_MALFORMED'],
  ])('refuses %s with %s', (input, code) => expect(parseDomainName(input)).toEqual({ ok: false, code }));

  describe('where URLs take hosts of ASCII as they are, as in Chromium', () => {
    afterEach(() => void vi.unstubAllGlobals());
    it.each([
      ['xn--a.com', { ok: false, code: 'DOMAIN_LABEL_UNREADABLE' }],
      ['www.xn--99999999.com', { ok: false, code: 'DOMAIN_LABEL_UNREADABLE' }],
      ['xn--bcher-kva.example', { ok: true, name: 'xn--bcher-kva.example' }],
      ['1.xn--mgbh0fb.example', { ok: true, name: '1.xn--mgbh0fb.example' }],
    ])('%s is judged by what its labels decode to', (input, result) => {
      const NodeUrl = URL;
      vi.stubGlobal('URL', function ChromiumUrl(url: string) {
        const host = url.slice('http://'.length);
        return /^[\0-\x7f]*$/.test(host) ? { hostname: host } : new NodeUrl(url);
      });
      expect(parseDomainName(input)).toEqual(result);
    });
  });

  it('a name with wildcard further down is no reserved name', () =>
    expect(parseDomainName('a.wildcard.com').ok).toBe(true));
});
