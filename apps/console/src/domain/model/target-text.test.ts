import { describe, expect, it } from 'vitest';
import { readTypedTarget } from './target-text';

describe('readTypedTarget', () => {
  it.each([
    ['192.0.2.10', { host: '192.0.2.10' }],
    ['192.0.2.10:8080', { host: '192.0.2.10', port: 8080 }],
    ['https://Origin.example.com:8443/', { host: 'origin.example.com', port: 8443, protocol: 'https' }],
    ['http://origin.example.com', { host: 'origin.example.com', protocol: 'http' }],
    [
      'https://origin.example.com:8443/shop?page=1',
      { host: 'origin.example.com', port: 8443, protocol: 'https', leftOut: '/shop?page=1' },
    ],
    [
      'https://user:p@ss@origin.example.com:8443/',
      { host: 'origin.example.com', port: 8443, protocol: 'https', hadUser: true },
    ],
    ['http://user@192.0.2.10/', { host: '192.0.2.10', protocol: 'http', hadUser: true }],
    ['[2001:db8::1]:443', { host: '2001:db8::1', port: 443 }],
    ['192.0.2.10:8080/', { host: '192.0.2.10', port: 8080 }],
    ['192.0.2.10:8080/shop?page=1', { host: '192.0.2.10', port: 8080, leftOut: '/shop?page=1' }],
    ['[2001:db8::1]:8443/x', { host: '2001:db8::1', port: 8443, leftOut: '/x' }],
    ['//origin.example.com:8080', { host: 'origin.example.com', port: 8080, leavesProtocolOpen: true }],
    ['//origin.example.com/shop', { host: 'origin.example.com', leavesProtocolOpen: true, leftOut: '/shop' }],
    ['2001:db8::1', { host: '2001:db8::1' }],
  ])('takes %s apart', (typed, expected) => {
    expect(readTypedTarget(typed)).toEqual(expected);
  });
  it.each([
    '192.0.2.10:99999',
    '192.0.2.10:99999/shop',
    'not a host:80',
    'not a host:80/',
    '192.0.2.0/24',
    '2001:db8::/32',
    'origin.example.com/shop',
  ])('leaves %s for the parser to explain', (typed) => {
    expect(readTypedTarget(typed)).toEqual({ host: typed });
  });
});
