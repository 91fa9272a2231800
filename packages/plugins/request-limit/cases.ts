import type { PluginCase } from '@cordon/plugin-kit';
import type { z } from 'zod';
import type { schema } from './schema.ts';

type Case = PluginCase<z.input<typeof schema>>;

const limit = { maxretry: 3, findtime: 60, bantime: '10m' } as const;
const passes = { verdict: 'pass' } as const;
const banned = (rule = '.*') =>
  ({ verdict: 'block', status: 429, reason: 'too_many_requests', rule, banSeconds: 600 }) as const;

export const cases: readonly Case[] = [
  {
    name: 'one request less than the limit passes',
    config: limit,
    before: [{ request: {}, times: 1 }],
    request: {},
    expect: passes,
  },
  {
    name: 'the request that reaches the limit bans its client',
    config: limit,
    before: [{ request: {}, times: 2 }],
    request: {},
    expect: banned(),
  },
  {
    name: 'requests for any path and with any method count',
    config: limit,
    before: [{ request: { path: '/a' } }, { request: { path: '/b?c=d', method: 'POST' } }],
    request: { path: '/c' },
    expect: banned(),
  },
  {
    name: 'those of another client do not count',
    config: limit,
    before: [{ request: { from: '198.51.100.9' }, times: 5 }],
    request: {},
    expect: passes,
  },
  {
    name: 'one /64 is one client',
    config: limit,
    before: [{ request: { from: '2606:4700::1' } }, { request: { from: '2606:4700::2' } }],
    request: { from: '2606:4700:0:0:ffff::3' },
    expect: banned(),
  },
  {
    name: 'another /64 is another client',
    config: limit,
    before: [{ request: { from: '2606:4700::1' }, times: 2 }],
    request: { from: '2606:4700:0:1::1' },
    expect: passes,
  },
  {
    name: 'only paths that the pattern is found in count',
    config: { ...limit, banpath: '^/(login|register)/?$' },
    before: [{ request: { path: '/' }, times: 5 }, { request: { path: '/login' } }],
    request: { path: '/register/' },
    expect: passes,
  },
  {
    name: 'and they do',
    config: { ...limit, banpath: '^/(login|register)/?$' },
    before: [{ request: { path: '/register' } }, { request: { path: '/login?next=/' } }],
    request: { path: '/login' },
    expect: banned('^/(login|register)/?$'),
  },
  {
    name: 'slashes in a row and what else origins resolve are no way around the pattern',
    config: { ...limit, banpath: '^/login$' },
    before: [{ request: { path: '//login' } }, { request: { path: '/%2F/./login' } }],
    request: { path: '/a//../login' },
    expect: banned('^/login$'),
  },
  {
    name: 'a path that origins may take for a counted one counts',
    config: { ...limit, banpath: '^/login$' },
    before: [{ request: { path: '/x/..;/login' } }, { request: { path: '/login;a=1' } }],
    request: { path: '/x\\..\\login' },
    expect: banned('^/login$'),
  },
  {
    name: 'other paths pass beyond the limit',
    config: { ...limit, banpath: '^/login' },
    before: [{ request: { path: '/login' }, times: 2 }],
    request: { path: '/' },
    expect: passes,
  },
  {
    name: 'only_dynamic: files do not count, whatever their case',
    config: { ...limit, only_dynamic: true },
    before: [
      { request: { path: '/app.js?v=1' }, times: 3 },
      { request: { path: '/logo.PNG' }, times: 3 },
    ],
    request: { path: '/a/photo.webp' },
    expect: passes,
  },
  {
    name: 'only_dynamic: everything else counts',
    config: { ...limit, only_dynamic: true },
    before: [{ request: { path: '/index.php' } }, { request: { path: '/js/' } }],
    request: { path: '/a.js/' },
    expect: banned(),
  },
  {
    name: 'only_dynamic: programs count, whatever is written behind them',
    config: { ...limit, only_dynamic: true },
    before: [{ request: { path: '/login.php/x.css' } }, { request: { path: '/a/Index.PHP/b//c.js' } }],
    request: { path: '/login.jsp;x.png' },
    expect: banned(),
  },
  {
    name: 'only_dynamic: what some origins take for a program counts',
    config: { ...limit, only_dynamic: true },
    before: [{ request: { path: '/login.php\\x.css' }, times: 2 }],
    request: { path: '/login.php%5Cx.css' },
    expect: banned(),
  },
  {
    name: 'only_dynamic: files in folders whose names have dots do not count',
    config: { ...limit, only_dynamic: true },
    before: [
      { request: { path: '/login/x.css' }, times: 3 },
      { request: { path: '/v1.2/app.js' }, times: 3 },
    ],
    request: { path: '/.well-known/x.png' },
    expect: passes,
  },
  {
    name: 'only_dynamic: only what fetches a file is left out',
    config: { ...limit, only_dynamic: true },
    before: [
      { request: { path: '/x.css', method: 'HEAD' }, times: 3 },
      { request: { path: '/x.css', method: 'POST' } },
      { request: { path: '/x.css', method: 'DELETE' } },
    ],
    request: { path: '/x.css', method: 'POST' },
    expect: banned(),
  },
  {
    name: 'only_dynamic: a HEAD request for a file does not count',
    config: { ...limit, only_dynamic: true },
    before: [{ request: { path: '/x.css', method: 'HEAD' }, times: 5 }],
    request: { path: '/x.css', method: 'HEAD' },
    expect: passes,
  },
  {
    name: 'without only_dynamic files count',
    config: limit,
    before: [{ request: { path: '/app.js' }, times: 2 }],
    request: { path: '/app.js' },
    expect: banned(),
  },
  {
    name: 'requests longer ago than findtime do not count',
    config: limit,
    before: [{ request: {}, times: 2, secondsBefore: 61 }],
    request: {},
    expect: passes,
  },
  {
    name: 'requests within findtime count',
    config: limit,
    before: [
      { request: {}, secondsBefore: 50 },
      { request: {}, secondsBefore: 20 },
    ],
    request: {},
    expect: banned(),
  },
  {
    name: 'findtime is what the settings say',
    config: { ...limit, findtime: 5 },
    before: [{ request: {}, times: 2, secondsBefore: 6 }],
    request: {},
    expect: passes,
  },
  {
    name: 'so are maxretry and bantime',
    config: { ...limit, maxretry: 2, bantime: '30s' },
    before: [{ request: {} }],
    request: {},
    expect: { ...banned(), banSeconds: 30 },
  },
  {
    name: 'a ban begins the count anew: once it is over, the client has all its requests again',
    config: limit,
    before: [{ request: {}, times: 3 }, { request: {} }],
    request: {},
    expect: passes,
  },
  {
    name: 'a ban of one client leaves the counts of others',
    config: limit,
    before: [
      { request: { from: '198.51.100.9' }, times: 2 },
      { request: {}, times: 3 },
    ],
    request: { from: '198.51.100.9' },
    expect: banned(),
  },
  {
    name: 'a search engine is not banned',
    config: limit,
    before: [{ request: { from: '66.249.66.1', crawler: 'google' }, times: 5 }],
    request: { from: '66.249.66.1', crawler: 'google' },
    expect: passes,
  },
  {
    name: 'what claims to be a search engine while DNS does not tell is refused and not banned',
    config: limit,
    before: [{ request: { isPossibleCrawler: true }, times: 3 }],
    request: { isPossibleCrawler: true },
    expect: { verdict: 'block', status: 429, reason: 'too_many_requests', rule: '.*', banSeconds: 0 },
  },
];
