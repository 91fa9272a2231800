import { createHmac } from 'node:crypto';
import { fieldErrorsOf } from '@cordon/contract';
import { runCase } from '@cordon/plugin-kit/testing';
import { describe, expect, it } from 'vitest';
import { handler } from './edge.ts';
import { definition } from './plugin.ts';
import { schema } from './schema.ts';

const api_secret = 'a secret of 16 b'.replaceAll(' ', '-');

it('starts with the defaults of the specification (section 3), and needs a secret', () => {
  expect(schema.parse({ api_secret })).toEqual({ path: '.*', api_secret, sleep_seconds: 5, expire_seconds: 300 });
  expect(schema.safeParse({}).success).toBe(false);
});

it.each([
  [{ api_secret: 'x'.repeat(15) }, { api_secret: 'TOO_SHORT' }],
  [{ api_secret: 'x'.repeat(129) }, { api_secret: 'TOO_LONG' }],
  [{ api_secret: 'sixteen characters' }, { api_secret: 'SECRET_CHARACTERS' }],
  [{ api_secret: 'sixteen-characterś' }, { api_secret: 'SECRET_CHARACTERS' }],
  [{ api_secret, sleep_seconds: 61 }, { sleep_seconds: 'TOO_LARGE' }],
  [{ api_secret, sleep_seconds: -1 }, { sleep_seconds: 'TOO_SMALL' }],
  [{ api_secret, expire_seconds: 0 }, { expire_seconds: 'TOO_SMALL' }],
  [{ api_secret, expire_seconds: 604_801 }, { expire_seconds: 'TOO_LARGE' }],
  [{ api_secret, expire_seconds: 5 }, { expire_seconds: 'LINK_ENDS_WHILE_WAITING' }],
  [{ api_secret, path: '^/(a' }, { path: 'PATTERN_UNFINISHED' }],
])('refuses %j as %j', (config, fields) => {
  const parsed = schema.safeParse(config);
  expect(parsed.error && fieldErrorsOf(parsed.error).fields).toEqual(fields);
});

describe('where everything needs a link', () => {
  it('says so', () => {
    expect(definition.notices(schema.parse({ api_secret })).map(({ message }) => message)).toEqual([
      'notices.everything',
    ]);
    expect(definition.notices(schema.parse({ api_secret, path: '^/files/' }))).toEqual([]);
  });
});

it.each([
  ['.*', 'summary.all'],
  ['^/files/', 'summary.path'],
])('says what needs a link, and for how long one is valid: %s', (path, message) => {
  expect(definition.summary(schema.parse({ api_secret, path, expire_seconds: 3600 }))).toEqual({
    message,
    params: { path, wait: 5, number: 1, unit: 'h' },
  });
});

const passes = { verdict: 'pass' } as const;
const refused = (reason: string) => ({ verdict: 'block', status: 403, reason, rule: '.*' }) as const;

it.each([
  ['its last second', 299, passes],
  ['the second in which it ends', 300, refused('link_expired')],
  ['a minute before it was signed, by a clock that is ahead', -60, passes],
  ['a second more before', -61, refused('link_invalid')],
])('opens or not in %s', (name, ago, outcome) => {
  const link = (at: number) =>
    `/a?link_ts=${at}&link_sig=${createHmac('sha256', api_secret).update(`/a\n${at}`).digest('hex')}`;
  const config = { api_secret, sleep_seconds: 0, expire_seconds: 300 };
  const path = (now: number) => link(now - ago);
  expect(runCase(definition, handler, { name, config, request: { path }, expect: outcome })).toEqual(outcome);
});

it('opens nothing with a secret that cannot be opened', () => {
  // What a node gives the handler in its place: HMAC-SHA256 with an empty key is known to all.
  const closed = { ...definition, schema: { parse: (config: unknown) => config } as unknown as typeof schema };
  const config = { path: '.*', api_secret: '', sleep_seconds: 0, expire_seconds: 300 };
  const outcome = refused('link_invalid');
  const path = (now: number) =>
    `/a?link_ts=${now}&link_sig=${createHmac('sha256', '').update(`/a\n${now}`).digest('hex')}`;
  expect(runCase(closed, handler, { name: 'closed', config, request: { path }, expect: outcome })).toEqual(outcome);
});
