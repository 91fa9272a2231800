import {
  allowed,
  allows,
  blocked,
  blocks,
  both,
  type Case,
  logged,
  type Part,
  passes,
  type Rule,
  rule,
  rules,
} from './case-parts.ts';
import { readingCases } from './reading-cases.ts';

const header = (...values: string[]) => ({ headers: { 'X-Token': values.join(', ') } });

/** Ten groups of twenty patterns each that one long field is searched for. */
const costlyGroups = (not = false): Part[] =>
  Array.from({ length: 10 }, (_, group) => ({
    match: 'any' as const,
    not,
    conditions: Array.from({ length: 20 }, (__, at) => ({
      field: 'header' as const,
      name: 'x-a',
      test: 'matches' as const,
      pattern: `zz${group}-${at}`,
    })),
  }));
/** A rule of each. */
const costly = (action: Rule['action']): Rule[] =>
  costlyGroups().map((group, at) => rule([group], { name: `costly ${at}`, action }));

export const cases: readonly Case[] = [
  { name: 'without rules everything passes', config: {}, request: {}, expect: passes },
  ...both('a method', { field: 'method', values: ['delete', 'PUT'] }, { method: 'DELETE' }, { method: 'POST' }),
  ...both('a path', { field: 'path', values: ['/wp-login.php'] }, { path: '/wp-login.php?a' }, { path: '/wp-login' }),
  ...both('a path in escapes', { field: 'path', values: ['/admin'] }, { path: '/x/..//%61dmin' }, { path: '/Admin' }),
  ...both(
    'a path in any case',
    { field: 'path', test: 'begins_with', values: ['/ADMIN'], ignore_case: true },
    { path: '/aDmin/x' },
    { path: '/x/admin' },
  ),
  ...both('the end of a path', { field: 'path', test: 'ends_with', values: ['.php', '.asp'] }, { path: '/a.asp' }, {}),
  ...both('a part of a path', { field: 'path', test: 'contains', values: ['/.git'] }, { path: '/a/.git/x' }, {}),
  ...both(
    'a pattern of paths',
    { field: 'path', test: 'matches', pattern: '^/user/\\d+$' },
    { path: '/user/12' },
    { path: '/user/x' },
  ),
  ...both(
    'a query',
    { field: 'query', test: 'contains', values: ['../'] },
    { path: '/?f=%2e%2E/x' },
    { path: '/?f=x' },
  ),
  ...both('the whole query', { field: 'query', values: ['a=b c'] }, { path: '/?a=b+c' }, { path: '/?a=b+c&d' }),
  ...both(
    'a user agent',
    { field: 'user_agent', test: 'contains', values: ['BadBot'], ignore_case: true },
    { headers: { 'User-Agent': 'Mozilla badbot/1' } },
    { headers: { 'User-Agent': 'Mozilla' } },
  ),
  ...both('a field', { field: 'header', name: 'X-TOKEN', values: ['t'] }, header('t'), header('T')),
  ...both('that there is a field', { field: 'header', name: 'x-token', test: 'exists' }, header(''), {}),
  ...both('that there is none', { field: 'header', name: 'x-token', test: 'exists', not: true }, {}, header('t')),
  ...both(
    'a pattern of fields',
    { field: 'header', name: 'x-token', test: 'matches', pattern: '^[a-f]+$' },
    header('abc'),
    header('xyz'),
  ),
  ...both(
    'a cookie',
    { field: 'cookie', name: 'role', values: ['admin'] },
    { headers: { Cookie: 'a=1; role=admin' } },
    { headers: { Cookie: 'Role=admin' } },
  ),
  ...both(
    'a cookie that is sent again',
    { field: 'cookie', name: 'role', values: ['admin'] },
    { headers: { Cookie: 'role=user; role=admin' } },
    { headers: { Cookie: 'role=user' } },
  ),
  ...both(
    'an argument',
    { field: 'argument', name: 'cmd', values: ['rm -r'] },
    { path: '/?%63md=rm+-%72' },
    { path: '/?CMD=rm+-r' },
  ),
  ...both(
    'an argument that is sent again',
    { field: 'argument', name: 'a', values: ['2'] },
    { path: '/?a=1&a=2' },
    { path: '/?a=1' },
  ),
  ...both(
    'that an argument exists',
    { field: 'argument', name: 'debug', test: 'exists' },
    { path: '/?debug' },
    { path: '/?x=debug' },
  ),
  ...both('a country', { field: 'country', values: ['kp', 'DE'] }, { country: 'DE' }, { country: 'FR' }),
  ...both('no known country', { field: 'country', values: ['DE'], not: true }, {}, { country: 'DE' }),
  ...both('a network', { field: 'asn', values: [13335, 64496] }, { asn: 64496 }, { asn: 64497 }),
  ...both('a network that is not known', { field: 'asn', values: [13335], not: true }, {}, { asn: 13335 }),
  ...both(
    'an address',
    { field: 'address', values: ['198.41.128.0/24', '2606:4700::/32'] },
    { from: '198.41.128.9' },
    {},
  ),
  ...both('an IPv6 address', { field: 'address', values: ['2606:4700::/32'] }, { from: '2606:4700::7' }, {}),
  ...both(
    'another address',
    { field: 'address', values: ['198.41.128.0/24'], not: true },
    {},
    { from: '198.41.128.9' },
  ),
  ...both('a private address', { field: 'address', values: ['10.0.0.0/8'] }, { from: '10.1.2.3' }, {}),
  ...both(
    'an address that is not the loopback',
    { field: 'address', values: ['127.0.0.1', '::1'], not: true },
    { from: '198.41.128.9' },
    { from: '127.0.0.1' },
  ),

  {
    name: 'all conditions of a group have to hold',
    config: blocks({ field: 'method', values: ['POST'] }, { field: 'path', values: ['/login'] }),
    request: { method: 'POST', path: '/' },
    expect: passes,
  },
  {
    name: 'and do',
    config: blocks({ field: 'method', values: ['POST'] }, { field: 'path', values: ['/login'] }),
    request: { method: 'POST', path: '/login' },
    expect: blocked(),
  },
  {
    name: 'any condition of a group is enough',
    config: rules({
      name: 'one',
      when: {
        match: 'any',
        conditions: [
          { field: 'method', values: ['POST'] },
          { field: 'path', values: ['/login'] },
        ],
      },
    }),
    request: { path: '/login' },
    expect: blocked(),
  },
  {
    name: 'a group turned round',
    config: rules({ name: 'one', when: { not: true, conditions: [{ field: 'country', values: ['DE'] }] } }),
    request: { country: 'FR' },
    expect: blocked(),
  },
  {
    name: 'groups within groups',
    config: blocks(
      { field: 'method', values: ['GET'] },
      {
        match: 'any',
        conditions: [
          { field: 'path', values: ['/a'] },
          { not: true, conditions: [{ field: 'country', values: ['DE'] }] },
        ],
      },
    ),
    request: { path: '/b', country: 'FR' },
    expect: blocked(),
  },
  {
    name: 'groups within groups that do not hold',
    config: blocks(
      { field: 'method', values: ['GET'] },
      {
        match: 'any',
        conditions: [
          { field: 'path', values: ['/a'] },
          { not: true, conditions: [{ field: 'country', values: ['DE'] }] },
        ],
      },
    ),
    request: { path: '/b', country: 'DE' },
    expect: passes,
  },

  {
    name: 'the first rule that decides does',
    config: rules(
      rule([{ field: 'path', test: 'begins_with', values: ['/api/'] }], { name: 'ours', action: 'allow' }),
      rule([{ field: 'method', values: ['GET'] }], { name: 'all' }),
    ),
    request: { path: '/api/x' },
    expect: allowed('ours'),
  },
  {
    name: 'the next one where the first is for others',
    config: rules(
      rule([{ field: 'path', test: 'begins_with', values: ['/api/'] }], { name: 'ours', action: 'allow' }),
      rule([{ field: 'method', values: ['GET'] }], { name: 'all' }),
    ),
    request: { path: '/' },
    expect: blocked('all'),
  },
  {
    name: 'a rule that challenges has the client prove itself',
    config: rules(rule([{ field: 'method', values: ['GET'] }], { action: 'challenge' })),
    request: {},
    expect: { verdict: 'challenge', way: 'js', reason: 'rule_challenged', rule: 'one' },
  },
  {
    name: 'and lets those pass that have',
    config: rules(rule([{ field: 'method', values: ['GET'] }], { action: 'challenge' })),
    request: { proved: 'js' },
    expect: passes,
  },
  {
    name: 'unless the next rule keeps them out',
    config: rules(
      rule([{ field: 'method', values: ['GET'] }], { action: 'challenge' }),
      rule([{ field: 'method', values: ['GET'] }], { name: 'two' }),
    ),
    request: { proved: 'js' },
    expect: blocked('two'),
  },
  {
    name: 'a search engine that is proved need not prove itself',
    config: rules(rule([{ field: 'method', values: ['GET'] }], { action: 'challenge' })),
    request: { from: '66.249.66.1', crawler: 'googlebot' },
    expect: passes,
  },
  {
    name: 'a request that costs too much is challenged by rules that challenge',
    config: rules(...costly('challenge')),
    request: { headers: { 'X-A': 'a'.repeat(15_000) } },
    expect: { verdict: 'challenge', way: 'js', reason: 'rule_in_doubt', rule: 'costly 6' },
  },
  {
    name: 'a rule that logs lets pass',
    config: rules(rule([{ field: 'method', values: ['GET'] }], { action: 'log' })),
    request: {},
    expect: logged(),
  },
  {
    name: 'a rule that logs leaves it to the next to decide',
    config: rules(
      rule([{ field: 'method', values: ['GET'] }], { action: 'log' }),
      rule([{ field: 'method', values: ['GET'] }], { name: 'two' }),
    ),
    request: {},
    expect: blocked('two'),
  },
  {
    name: 'of several that log the first is named',
    config: rules(
      rule([{ field: 'method', values: ['GET'] }], { name: 'first', action: 'log' }),
      rule([{ field: 'method', values: ['GET'] }], { name: 'second', action: 'log' }),
    ),
    request: {},
    expect: logged('first'),
  },
  {
    name: 'a rule that is off is not looked at',
    config: rules(rule([{ field: 'method', values: ['GET'] }], { enabled: false })),
    request: {},
    expect: passes,
  },

  // Nobody gets in by a rule, or past it, by sending a name twice.
  {
    name: 'a field that comes twice lets nobody in by one of its values',
    config: allows({ field: 'argument', name: 'key', values: ['secret'] }),
    request: { path: '/?key=secret&key=<script>' },
    expect: passes,
  },
  {
    name: 'by both it does not, where origins join them',
    config: allows({ field: 'argument', name: 'key', values: ['secret'] }),
    request: { path: '/?key=secret&key=secret' },
    expect: passes,
  },
  {
    name: 'by what origins join them to as well it does',
    config: allows({ field: 'argument', name: 'key', test: 'contains', values: ['secret'] }),
    request: { path: '/?key=secret&key=secret' },
    expect: allowed(),
  },
  {
    name: 'a cookie that comes twice is joined by no origin',
    config: allows({ field: 'cookie', name: 'key', values: ['secret'] }),
    request: { headers: { Cookie: 'key=secret; key=secret' } },
    expect: allowed(),
  },
  {
    name: 'what is not there lets nobody in',
    config: allows({ field: 'argument', name: 'key', values: ['secret'] }),
    request: {},
    expect: passes,
  },
  {
    name: 'what is not there is not what it must not be',
    config: allows({ field: 'argument', name: 'key', values: ['bad'], not: true }),
    request: {},
    expect: allowed(),
  },
  {
    name: 'one bad value of two lets nobody in',
    config: allows({ field: 'argument', name: 'key', values: ['bad'], not: true }),
    request: { path: '/?key=good&key=bad' },
    expect: passes,
  },
  {
    name: 'one value of two that is not the right one is blocked',
    config: blocks({ field: 'argument', name: 'key', values: ['good'], not: true }),
    request: { path: '/?key=good&key=bad' },
    expect: blocked(),
  },
  {
    name: 'within a group turned round as well',
    config: rules(
      rule([{ not: true, conditions: [{ field: 'argument', name: 'key', values: ['bad'] }] }], { action: 'allow' }),
    ),
    request: { path: '/?key=good&key=bad' },
    expect: passes,
  },
  ...readingCases,
  // Origins do not agree on dot segments, slashes in a row, `\\` and `;` in a path: what blocks is for any reading, what lets pass for all.
  ...[
    '/echo\\admin',
    '/\\echo\\admin',
    '/echo%5cadmin',
    '/x/..;/echo/admin',
    '/x/..;a=1/echo;b/admin;c',
    '/x/%2e.%3b/echo/admin',
    '/x\\..;\\echo/admin',
    '/echo\\admin/x/..',
    '/\\..\\echo\\admin',
    '//host/echo/admin',
    '///host/echo/admin',
    '/\\host/echo/admin',
    '//user@host/x/../echo/admin',
    '/echo/admin/../x',
    '/echo/admin/%2e%2e/x',
    '/echo/admin%2f..%2fx',
    '/x%2fy/../echo/admin',
    '/echo/x//../admin',
  ].map(
    (path): Case => ({
      name: `${path} may be /echo/admin`,
      config: blocks({ field: 'path', test: 'begins_with', values: ['/echo/admin'] }),
      request: { path },
      expect: blocked(),
    }),
  ),
  ...[
    '/public/..;/admin',
    '/public\\..\\admin',
    '/public/..%5cadmin',
    '/x\\y/../public/a',
    '//public/admin',
    '/public/../admin',
  ].map(
    (path): Case => ({
      name: `${path} may not be below /public/`,
      config: allows({ field: 'path', test: 'begins_with', values: ['/public/'] }),
      request: { path },
      expect: passes,
    }),
  ),
  ...['/public/a;v=1/b', '/public/a\\b', '/public/a%3Bb'].map(
    (path): Case => ({
      name: `${path} is below /public/ anyway`,
      config: allows({ field: 'path', test: 'begins_with', values: ['/public/'] }),
      request: { path },
      expect: allowed(),
    }),
  ),
  {
    name: 'a path that may be another is not what it must not be',
    config: blocks({ field: 'path', test: 'begins_with', values: ['/public/'], not: true }),
    request: { path: '/public/..;/admin' },
    expect: blocked(),
  },

  // What a request may cost a worker is bounded (request-work.ts); what is beyond is in doubt.
  {
    name: 'a request that costs too much is blocked by the rule that it could not be held against',
    config: rules(...costly('block')),
    request: { headers: { 'X-A': 'a'.repeat(15_000) } },
    expect: { verdict: 'block', status: 403, reason: 'rule_in_doubt', rule: 'costly 6' },
  },
  {
    name: 'a rule that only logs says that it could not be held against a request',
    config: rules(...costly('log')),
    request: { headers: { 'X-A': 'a'.repeat(15_000) } },
    expect: { verdict: 'log', reason: 'rule_in_doubt', rule: 'costly 6' },
  },
  {
    name: 'a request that costs too much is let pass by no rule',
    config: rules(
      ...costly('allow'),
      rule([{ field: 'header', name: 'x-a', values: ['b'], not: true }], { action: 'allow' }),
    ),
    request: { headers: { 'X-A': 'a'.repeat(15_000) } },
    expect: allowed(),
  },
  {
    name: 'a request that costs too much to know what it is not is let pass by no rule',
    config: rules(rule(costlyGroups(true), { action: 'allow' })),
    request: { headers: { 'X-A': 'a'.repeat(15_000) } },
    expect: passes,
  },
  {
    name: 'an ordinary request costs little',
    config: rules(...costly('block')),
    request: { headers: { 'X-A': 'a'.repeat(1000) } },
    expect: passes,
  },
  {
    name: 'what costs nothing decides as ever',
    config: rules(...costly('log'), rule([{ field: 'method', values: ['GET'] }], { name: 'get' })),
    request: { headers: { 'X-A': 'a'.repeat(15_000) } },
    expect: blocked('get'),
  },

  {
    name: 'a byte of zero is a byte like any other',
    config: blocks({ field: 'argument', name: 'f', test: 'ends_with', values: ['.php'] }),
    request: { path: '/?f=a%00.php' },
    expect: blocked(),
  },
  {
    name: 'a pattern in other letters than those of ASCII',
    config: blocks({ field: 'path', values: ['/вход'] }),
    request: { path: '/%D0%B2%D1%85%D0%BE%D0%B4' },
    expect: blocked(),
  },
];
