import { expect, it } from 'vitest';
import { nameOfUrl, withoutUrls } from './url-names';

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
