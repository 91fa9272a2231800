import { expect, it } from 'vitest';
import { nameOfUrl, targetsOfUrls, withoutUrls } from './url-names';

it.each([
  ['https://www.example.com/', 'www.example.com'],
  ['http://user:secret@shop.example.com:8080/path?x=1#part', 'shop.example.com'],
  ['www.example.com/path', 'www.example.com'],
  ['www.example.com:443', 'www.example.com'],
  ['https://例子.测试/页面', '例子.测试'],
])('the name of %s is %s', (text, name) => {
  expect(nameOfUrl(text)).toBe(name);
});

it.each(['www.example.com', '', 'no name', 'https://', 'https://not_a_name/', '203.0.113.10:80/x/'])(
  '%j is left as it is',
  (text) => {
    expect(nameOfUrl(text)).toBeUndefined();
  },
);

it('turns each URL of a cell, and keeps what stands between', () => {
  expect(withoutUrls('https://a.example/, b.example；http://c.example')).toBe('a.example, b.example；c.example');
  expect(withoutUrls('a.example, b.example')).toBeUndefined();
});

it.each([
  ['http://198.41.128.7:81/', '', '198.41.128.7:81', 'http'],
  ['https://198.41.128.7:443/', 'http', '198.41.128.7', 'https'],
  ['https://user:secret@origin.example/shop; 198.41.128.7:8443', 'tcp', 'origin.example; 198.41.128.7:8443', 'https'],
  ['http://[2a00::1]:8080', 'http', '[2a00::1]:8080', 'http'],
  ['https://origin.example/', 'http_https', 'origin.example', 'http_https'],
  ['https://origin.example:8443/', 'http_https', 'origin.example:8443', 'https'],
])('the targets of %s with protocol %j are %s', (cell, protocol, upstreams, expected) => {
  expect(targetsOfUrls(cell, protocol)).toEqual({ upstreams, protocol: expected });
});

it.each(['198.41.128.7:81', '', 'http://a.example https://b.example', 'https://not_a_host/'])(
  'targets in %j are left for the parser to explain',
  (cell) => expect(targetsOfUrls(cell, 'http')).toBeUndefined(),
);
