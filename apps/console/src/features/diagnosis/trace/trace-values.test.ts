import type { Trace } from '@cordon/contract';
import { expect, it } from 'vitest';
import {
  endingOf,
  endsAtBan,
  fromLogged,
  isReplayable,
  type LoggedRequest,
  type TraceValues,
  toBody,
} from './trace-values';

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

it.each([
  ['', 'bad_request', false],
  ['', 'loop', true],
  ['blackrules', 'bad_request', true],
])('a request that %j stopped for %j is traced anew: %s', (plugin, reason, expected) =>
  expect(isReplayable({ plugin, reason } as LoggedRequest)).toBe(expected),
);

it.each([
  ['ban', 'block', true],
  ['ban', 'pass', false],
  ['request-limit', 'block', false],
] as const)('a trace where %s says %s ends at a ban: %s', (plugin, outcome, expected) =>
  expect(endsAtBan({ steps: [{ plugin, outcome }] as unknown as Trace['steps'] })).toBe(expected),
);

it('leaves to the edge’s databases what is left empty', () => {
  const empty = { headers: '', client: '', country: ' ', asn: '', version: 'live' } as TraceValues;
  expect(Object.keys(toBody(empty))).toEqual(['method', 'url', 'headers', 'crawler', 'preview', 'version']);
  expect(toBody({ ...empty, country: 'kp', asn: 'AS1' })).toMatchObject({ country: 'KP', asn: 1 });
});

it.each([
  [{ path: '/h/x y', raw_path: '' }, 'https://a.test/h/x%20y?b=c'],
  [{ path: '/h/x', raw_path: '//h/%78' }, 'https://a.test//h/%78?b=c'],
  [{ path: '/h/x y', raw_path: '-' }, 'https://a.test/h/x%20y?b=c'],
])('traces a request of the log by the path that was sent: %j', (paths, url) => {
  const rest = { scheme: 'https', domain_name: 'a.test', query: 'b=c', user_agent: '', referer: '', version: 1 };
  expect(fromLogged({} as TraceValues, { ...rest, ...paths } as LoggedRequest).url).toBe(url);
});
