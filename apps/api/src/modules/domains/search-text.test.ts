import { expect, it } from 'vitest';
import { searchedText } from './search-text.ts';

it.each([
  ['shop', 'shop'],
  [' Www.Example.com. ', 'www.example.com', true],
  ['Site1.', 'site1', true],
  ['http://203.0.113.7/', '203.0.113.7'],
  ['https://origin.example.net:8443/a?b=c#d', 'origin.example.net:8443'],
  ['k3v9.s1.vip01.edge.cordon.test', 'k3v9.s1.vip01.edge.cordon.test'],
  ['K3V9.s1.vip01.edge.cordon.test.', 'k3v9.s1.vip01.edge.cordon.test', true],
  ['HTTPS://W0.EXAMPLE.COM:443/x', 'w0.example.com'],
  ['http://w0.example.com.:80', 'w0.example.com', true],
  ['example.com/path', 'example.com'],
  ['Shop.Example.com:443/a?b=c#d', 'shop.example.com'],
  ['203.0.113.7/', '203.0.113.7'],
  ['203.0.113.0/24', '203.0.113.0/24'],
  ['https://user:pw@host.example/', 'host.example'],
  ['north/south', 'north/south'],
  ['see a.example/b', 'see a.example/b'],
  ['2001:db8::443', '2001:db8::443'],
  ['.com', '.com'],
  ['the end.', 'the end', true],
  ['...', '...'],
] as [string, string, boolean?][])('of %j is %j', (typed, text, endsLabel = false) => {
  expect(searchedText(typed)).toEqual({ text, endsLabel });
});
