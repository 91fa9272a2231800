import type { PluginCase } from '@cordon/plugin-kit';
import type { z } from 'zod';
import type { schema } from './schema.ts';

type Case = PluginCase<z.input<typeof schema>>;

const adding = (...headers: [string, string][]): Case['config'] => ({
  add: { headers: headers.map(([name, value]) => ({ name, value })) },
});
const gets = (fields: Record<string, string | null>) => ({ verdict: 'pass', answer: { fields } }) as const;

export const cases: readonly Case[] = [
  {
    name: 'the visitor gets the field',
    config: adding(['Strict-Transport-Security', 'max-age=31536000; includeSubDomains']),
    request: {},
    expect: gets({ 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  },
  {
    name: 'in place of the origin’s, whatever its case',
    config: adding(['X-Frame-Options', 'DENY'], ['Server', 'ours']),
    request: {},
    origin: { headers: { 'x-frame-options': 'SAMEORIGIN', Server: 'Apache/2.2' } },
    expect: gets({ 'x-frame-options': 'DENY', server: 'ours' }),
  },
  {
    name: 'also with an error of the origin',
    config: adding(['X-Content-Type-Options', 'nosniff']),
    request: { path: '/missing' },
    origin: { status: 404, headers: { 'X-Own': 'stays' } },
    expect: {
      verdict: 'pass',
      answer: { status: 404, fields: { 'x-content-type-options': 'nosniff', 'x-own': 'stays' } },
    },
  },
  {
    name: 'a cookie stands beside those of the origin',
    config: adding(['Set-Cookie', 'from=edge; Path=/']),
    request: {},
    origin: { headers: { 'Set-Cookie': 'session=1' } },
    expect: gets({ 'set-cookie': 'session=1, from=edge; Path=/' }),
  },
  ...(
    [
      ['Link', '</a.css>; rel=preload', '</b.css>; rel=preload'],
      ['Vary', 'Accept-Language', 'X-Device'],
      ['Server-Timing', 'db;dur=53', 'edge;dur=1'],
      ['WWW-Authenticate', 'Basic realm="origin"', 'Bearer'],
    ] as const
  ).map(
    ([name, originValue, value]): Case => ({
      name: `${name} stands beside the origin’s`,
      config: adding([name, value]),
      request: {},
      origin: { headers: { [name]: originValue } },
      expect: gets({ [name.toLowerCase()]: `${originValue}, ${value}` }),
    }),
  ),
  {
    name: 'an underscore stays one',
    config: adding(['X_Under_Score', 'yes']),
    request: {},
    expect: gets({ x_under_score: 'yes', 'x-under-score': null }),
  },
];
