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
    ['198.41.128.5 80', { host: '198.41.128.5', port: 80 }],
    ['198.41.128.5\t8080', { host: '198.41.128.5', port: 8080 }],
    ['198.41.128.5 : 8080', { host: '198.41.128.5', port: 8080 }],
    ['198.41.128.5：8080', { host: '198.41.128.5', port: 8080 }],
    ['2001:db8::1 443', { host: '2001:db8::1', port: 443 }],
    ['origin.example.com 8443', { host: 'origin.example.com', port: 8443 }],
    ['198.41.128.5/x', { host: '198.41.128.5', leftOut: '/x' }],
    ['198.41.128.5?page=1', { host: '198.41.128.5', leftOut: '?page=1' }],
    ['198.41.128.5/24/x', { host: '198.41.128.5', leftOut: '/24/x' }],
    ['[2001:db8::1]/x', { host: '2001:db8::1', leftOut: '/x' }],
    ['origin.example.com/shop', { host: 'origin.example.com', leftOut: '/shop' }],
    ['origin.example.com/24', { host: 'origin.example.com', leftOut: '/24' }],
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
    '198.41.128.5 99999',
    '198.41.128.5 80 90',
    '300.0.0.1/x',
    'ops@origin.example.com',
  ])('leaves %s for the parser to explain', (typed) => {
    expect(readTypedTarget(typed)).toEqual({ host: typed });
  });
});
