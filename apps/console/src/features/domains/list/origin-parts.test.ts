import { expect, it } from 'vitest';
import { originParts } from './origin-parts';

it.each([
  ['https://192.0.2.1:8443, 192.0.2.2 +3', '192.0.2.1', ':8443', 4],
  ['http://192.0.2.1', '192.0.2.1', ':80', 0],
  ['https://origin.example.net', 'origin.example.net', ':443', 0],
  ['192.0.2.1, 192.0.2.2', '192.0.2.1', '', 1],
  ['http://[2001:db8::1]:8080', '[2001:db8::1]', ':8080', 0],
  ['https://2001:db8::1', '[2001:db8::1]', ':443', 0],
  ['2001:db8::1', '2001:db8::1', '', 0],
  ['', '', '', 0],
])('%s is %s%s and %i more', (summary, host, port, more) => {
  expect(originParts(summary)).toEqual({ host, port, more });
});
