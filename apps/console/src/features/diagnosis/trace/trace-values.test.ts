import { expect, it } from 'vitest';
import { endingOf, type LoggedRequest } from './trace-values';

it.each([
  ['ip-restriction', 'block', 'in_deny_list', 'block'],
  ['redirect', 'redirect', '', 'redirect'],
  ['', 'block', 'loop', 'block'],
  // What a domain that is off answers is no block, but it is where a trace ends too.
  ['', '', 'suspended', 'block'],
  ['', '', 'deactivated', 'block'],
  ['', '', 'origin_tls_expired', 'origin'],
  ['', '', '', 'origin'],
] as const)('a request that %j %j for %j ended with %s', (plugin, action, reason, kind) => {
  expect(endingOf({ plugin, action, reason } as LoggedRequest)).toBe(kind);
});
