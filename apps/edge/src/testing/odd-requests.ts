/** A request as bytes, one character each (0 to 255). */
export interface OddRequest {
  readonly name: string;
  readonly method?: string;
  /** `/` when left out. */
  readonly target?: string;
  /** Value of Host; the test's own name when left out. */
  readonly host?: string;
  /** Lines of header fields, without the first Host. */
  readonly lines?: readonly string[];
  readonly body?: string;
  /** What all must see of it, besides seeing the same. null: absent. undefined: the request is refused. */
  readonly sees: Readonly<Record<string, string | null>> | undefined;
  /** Of a refusal; 400 when left out. */
  readonly status?: number;
}

export const ODD_HOST = 'odd.test';

const paths: OddRequest[] = [
  { name: 'an ordinary path', target: '/a/b', sees: { path: '/a/b', rawPath: '/a/b', query: '' } },
  { name: 'a slash at the end', target: '/a/', sees: { path: '/a/' } },
  { name: 'upper and lower case', target: '/A/b/%41%62', sees: { path: '/A/b/Ab' } },
  { name: 'slashes in a row', target: '//a///b//', sees: { path: '/a/b/', rawPath: '//a///b//' } },
  { name: 'nothing but slashes', target: '///', sees: { path: '/', rawPath: '///' } },
  { name: 'escaped slashes in a row', target: '/%2F/a%2f%2Fb%2f/', sees: { path: '/a/b/' } },
  { name: 'slashes around dot segments', target: '//.//a//./..//b//..//', sees: { path: '/' } },
  { name: 'a dot segment', target: '/./a/./b/.', sees: { path: '/a/b/', rawPath: '/./a/./b/.' } },
  { name: 'dot segments that go up', target: '/a/b/../c/..', sees: { path: '/a/' } },
  { name: 'up over an empty segment', target: '/a//../b', sees: { path: '/b' } },
  { name: 'segments that begin with dots', target: '/.a/..b/.../a.', sees: { path: '/.a/..b/.../a.' } },
  { name: 'escaped dots', target: '/a/%2e%2E/b/%2e/c', sees: { path: '/b/c', rawPath: '/a/%2e%2E/b/%2e/c' } },
  { name: 'half escaped dots', target: '/a/.%2e/b', sees: { path: '/b' } },
  { name: 'escaped slashes', target: '/a%2Fb%2f..%2Fc', sees: { path: '/a/c', rawPath: '/a%2Fb%2f..%2Fc' } },
  { name: 'escaped question mark, hash and percent', target: '/a%3Fb%23c%25d%252e', sees: { path: '/a?b#c%d%2e' } },
  { name: 'an escaped dot before an escaped question mark', target: '/a/.%3F/..%23', sees: { path: '/a/.?/..#' } },
  { name: 'escaped controls', target: '/a%0a%09%0D%7f%20b', sees: { path: '/a\n\t\r\x7f b' } },
  { name: 'pluses and semicolons', target: '/a+b%2Bc;d=1', sees: { path: '/a+b+c;d=1' } },
  { name: 'a backslash', target: '/a\\..\\b', sees: { path: '/a\\..\\b' } },
  { name: 'escaped UTF-8', target: '/caf%C3%A9/%F0%9F%8D%B0', sees: { path: '/caf\xc3\xa9/\xf0\x9f\x8d\xb0' } },
  {
    name: 'UTF-8 that is not escaped',
    target: '/caf\xc3\xa9',
    sees: { path: '/caf\xc3\xa9', rawPath: '/caf\xc3\xa9' },
  },
  { name: 'UTF-8 that is escaped in part', target: '/caf\xc3%A9', sees: { path: '/caf\xc3\xa9' } },
  { name: 'bytes that are no UTF-8', target: '/%FF/\xfe/%C3/%c3%bf', sees: { path: '/\xff/\xfe/\xc3/\xc3\xbf' } },
  { name: 'overlong UTF-8', target: '/%C0%AE%C0%AE/%E0%80%AF', sees: { path: '/\xc0\xae\xc0\xae/\xe0\x80\xaf' } },
  { name: 'an escaped surrogate', target: '/%ED%A0%80/%ED%B3%BF', sees: { path: '/\xed\xa0\x80/\xed\xb3\xbf' } },
  { name: 'UTF-8 beyond Unicode', target: '/%F4%90%80%80/%F8%88', sees: { path: '/\xf4\x90\x80\x80/\xf8\x88' } },
  { name: 'an escape that is none', target: '/%zz', sees: undefined },
  { name: 'an escape that ends early', target: '/a%2', sees: undefined },
  { name: 'an escaped NUL', target: '/a%00b', sees: undefined },
  { name: 'up above the root', target: '/a/../../b', sees: undefined },
  { name: 'up above the root in escapes', target: '/%2e%2e/b', sees: undefined },
  { name: 'dots that end above the root', target: '/..', sees: undefined },
  { name: 'up over nothing but slashes', target: '//..', sees: undefined },
];

const targets: OddRequest[] = [
  { name: 'an empty query', target: '/a?', sees: { path: '/a', query: '', 'arg a': null } },
  { name: 'a query with question marks', target: '/a??b?', sees: { rawPath: '/a', query: '?b?' } },
  { name: 'dots and escapes in a query', target: '/a?/../%2e%2F', sees: { path: '/a', query: '/../%2e%2F' } },
  { name: 'a dot segment before a query', target: '/a/..?b', sees: { path: '/', rawPath: '/a/..', query: 'b' } },
  { name: 'a hash', target: '/a#b?c', sees: undefined },
  { name: 'a hash in a query', target: '/a?b=1#c', sees: undefined },
  { name: 'a hash at the end', target: '/a#', sees: undefined },
  { name: 'a path behind a hash', target: '/.well-known/acme-challenge/tok#/../../../admin?a=1', sees: undefined },
  { name: 'a hash in escapes', target: '/a%23b', sees: { path: '/a#b', rawPath: '/a%23b' } },
  { name: 'an argument without value', target: '/?a', sees: { query: 'a', 'arg a': '', 'arg A': null } },
  { name: 'an empty argument', target: '/?a=&b=1', sees: { 'arg a': '', 'arg b': '1' } },
  { name: 'an argument again', target: '/?a=1&A=2&a=3', sees: { 'arg a': '1|3', 'arg A': '2' } },
  {
    name: 'arguments that begin alike',
    target: '/?ab=1&a=2&a-b=3',
    sees: { 'arg a': '2', 'arg ab': '1', 'arg a-b': '3' },
  },
  { name: 'an equals sign in a value', target: '/?b&a=1=2', sees: { 'arg a': '1=2', 'arg b': '' } },
  { name: 'an argument without name', target: '/?=1&&a=2', sees: { 'arg ': '1', 'arg a': '2' } },
  { name: 'escapes in arguments', target: '/?%61=1&a=%41+b', sees: { 'arg a': '1|A b', 'arg %61': null } },
  {
    name: 'escapes that are broken, escaped twice or of no character',
    target: '/?a=%4&a=%zz%&a=%2541&a=%00%c3%a9&a=%2B',
    sees: { 'arg a': '%4|%zz%|%41|\0\xc3\xa9|+' },
  },
  {
    name: 'arguments that origins read in several ways',
    target: '/?a[]=1&a=%FF+&ab;b=2&a%00=3',
    sees: {
      'possible arg a': '1|\xff |\xff|\xff+|3|1,\xff ,3|1, \xff , 3|1,\xff ,3|1, \xff , 3 (sure)',
      'possible arg b': '2',
      'possible arg ab': '',
    },
  },
  {
    name: 'arguments with brackets and blanks of Unicode',
    target: '/?[a]=1&b[x=y]=2&\xa0ab=3\xe2\x80\x83',
    sees: { 'possible arg a': '1', 'possible arg b': 'y]=2|2', 'possible arg ab': '3\xe2\x80\x83|3' },
  },
  { name: 'bytes in arguments', target: '/?a=\xff\xc3\xa9', sees: { 'arg a': '\xff\xc3\xa9' } },
  {
    name: 'names that JavaScript gives a meaning',
    target: '/?__proto__=1',
    sees: { 'arg __proto__': '1', 'arg constructor': null },
  },
  {
    name: 'the absolute form',
    target: `http://${ODD_HOST}/a/../b?c`,
    sees: { host: ODD_HOST, path: '/b', rawPath: '/a/../b', query: 'c' },
  },
  {
    name: 'the absolute form in upper case',
    target: `HTTP://ODD.Test:80/A`,
    host: 'ODD.Test:80',
    sees: { host: ODD_HOST, path: '/A', 'header host': 'ODD.Test:80' },
  },
  {
    name: 'the absolute form without path',
    target: `http://${ODD_HOST}`,
    sees: { path: '/', rawPath: '/', query: '' },
  },
  {
    name: 'the absolute form with only a query',
    target: `http://${ODD_HOST}?a=1`,
    sees: { path: '/', rawPath: '/', query: 'a=1', 'arg a': '1' },
  },
];

const hosts: OddRequest[] = [
  { name: 'a name in upper case', host: 'ODD.test', sees: { host: ODD_HOST, 'header host': 'ODD.test' } },
  { name: 'a port', host: 'odd.test:8080', sees: { host: ODD_HOST, 'header host': 'odd.test:8080' } },
  { name: 'a last dot', host: 'odd.test.', sees: { host: ODD_HOST } },
  { name: 'a last dot and a port', host: 'odd.test.:80', sees: { host: ODD_HOST } },
  { name: 'a port that is none', host: 'odd.test:x:1', sees: { host: ODD_HOST } },
  { name: 'two last dots', host: 'odd.test..', sees: undefined },
];

const methods: OddRequest[] = ['POST', 'OPTIONS', 'PROPFIND', 'M-SEARCH', 'A_B'].map((method) => ({
  name: `the method ${method}`,
  method,
  sees: { method },
}));

const headers: OddRequest[] = [
  { name: 'no field', sees: { 'header x-a': null, 'header user-agent': null, 'header constructor': null } },
  { name: 'a field in odd case', lines: ['x-A: One'], sees: { 'header x-a': 'One' } },
  { name: 'a field twice', lines: ['X-A: 1', 'x-a: 2'], sees: { 'header x-a': '1, 2' } },
  { name: 'a field thrice, one of them empty', lines: ['X-A: 1', 'X-A:', 'X-A: 2'], sees: { 'header x-a': '1, , 2' } },
  {
    name: 'a known field twice',
    lines: ['User-Agent: 1', 'User-Agent: 2', 'Accept: a', 'Accept: b'],
    sees: { 'header user-agent': '1, 2', 'header accept': 'a, b' },
  },
  {
    name: 'a list of proxies twice',
    lines: ['X-Forwarded-For: 1.1.1.1', 'X-Forwarded-For: 2.2.2.2'],
    sees: { 'header x-forwarded-for': '1.1.1.1, 2.2.2.2' },
  },
  { name: 'an empty field', lines: ['X-A:'], sees: { 'header x-a': '' } },
  { name: 'blanks alone', lines: ['X-A: \t '], sees: { 'header x-a': '' } },
  { name: 'blanks around a value', lines: ['X-A:  \t 1 \t 2 \t '], sees: { 'header x-a': '1 \t 2' } },
  { name: 'no blank before a value', lines: ['X-A:1'], sees: { 'header x-a': '1' } },
  { name: 'colons in a value', lines: ['X-A: a: b:'], sees: { 'header x-a': 'a: b:' } },
  {
    name: 'names with underscores',
    lines: ['X_A: 1', 'X-A-B: 2', 'X_A-B: 3'],
    sees: { 'header x-a': null, 'header x_a': null, 'header x-a-b': '2' },
  },
  {
    name: 'names that begin alike',
    lines: ['X-A-B: 1', 'X-A: 2', 'XA: 3'],
    sees: { 'header x-a': '2', 'header x-a-b': '1', 'header xa': '3' },
  },
  { name: 'a name with a dot', lines: ['X.A: 1', 'X-A: 2'], sees: { 'header x.a': null, 'header x-a': '2' } },
  { name: 'bytes in a value', lines: ['X-A: \xff caf\xc3\xa9'], sees: { 'header x-a': '\xff caf\xc3\xa9' } },
  {
    name: 'names that JavaScript gives a meaning',
    lines: ['Constructor: 1'],
    sees: { 'header constructor': '1', 'header __proto__': null },
  },
  { name: 'a field for the edge itself', lines: ['Cordon-Country: XX'], sees: { 'header cordon-country': 'XX' } },
];

const cookies: OddRequest[] = [
  {
    name: 'cookies',
    lines: ['Cookie: a=1; b=2'],
    sees: { 'cookie a': '1', 'cookie b': '2', 'cookie A': null, 'header cookie': 'a=1; b=2' },
  },
  {
    name: 'cookies in several fields',
    lines: ['Cookie: a=1', 'cookie: b=2', 'Cookie: a=3'],
    sees: { 'cookie a': '1|3', 'cookie b': '2', 'header cookie': 'a=1; b=2; a=3', 'headers cookie': 'a=1; b=2; a=3' },
  },
  {
    name: 'names with hyphens and underscores',
    lines: ['Cookie: a-b=1; a_b=2'],
    sees: { 'cookie a-b': '1', 'cookie a_b': '2' },
  },
  {
    name: 'cookies that origins read in several ways',
    lines: ['Cookie: a="1\\"\\101\xc3\xa9; b=2"; ab = %41+, b=3; a-b[0]=\xff%FF; a_b=1'],
    sees: {
      'possible cookie a': '"1\\"\\101\xc3\xa9|1\\"\\101\xc3\xa9; b=2|1"A\xc3\xa9; b=2|1\\"\\101\xc3 (sure)',
      'possible cookie b': '2"|3',
      'possible cookie ab': ' %41+, b=3|%41+, b=3| A+, b=3|A+, b=3| A , b=3|A , b=3||%41+|A+|A |A',
      'possible cookie a-b': '\xff%FF|\xff\xff',
      'possible cookie a_b': '1 (sure)',
    },
  },
  {
    name: 'cookies of Express, of Python and with blanks of Unicode',
    lines: ['Cookie: a=j:"\\u00e9\\ud83d\\ude00"; b=1 ab =\x1c2\xa0; a-b="3\xc3\xa9; a_b=j:[]'],
    sees: {
      'possible cookie a': 'j:"\\u00e9\\ud83d\\ude00"|\xc3\xa9\xf0\x9f\x98\x80 (sure)',
      'possible cookie b': '1 ab =\x1c2\xa0|1 ab =\x1c2|1 (sure)',
      'possible cookie ab': '\x1c2\xa0|2',
      'possible cookie a-b': '"3\xc3\xa9|3\xc3 (sure)',
      'possible cookie a_b': '',
    },
  },
  { name: 'names in upper and lower case', lines: ['Cookie: A=1; a=2'], sees: { 'cookie A': '1', 'cookie a': '2' } },
  {
    name: 'names that begin or end alike',
    lines: ['Cookie: ab=1; ba=2; a=3'],
    sees: { 'cookie a': '3', 'cookie ab': '1' },
  },
  { name: 'a cookie again', lines: ['Cookie: a=1; a=2'], sees: { 'cookie a': '1|2' } },
  { name: 'a quoted value', lines: ['Cookie: a="1; b=2"'], sees: { 'cookie a': '"1', 'cookie b': '2"' } },
  { name: 'an equals sign in a value', lines: ['Cookie: a=b=c'], sees: { 'cookie a': 'b=c', 'cookie b': null } },
  {
    name: 'a cookie without value',
    lines: ['Cookie: a; b=; ab=1'],
    sees: { 'cookie a': null, 'cookie b': '', 'cookie ab': '1' },
  },
  {
    name: 'no blanks',
    lines: ['Cookie: a=1;b=2;;ab=3;'],
    sees: { 'cookie a': '1', 'cookie b': '2', 'cookie ab': '3' },
  },
  {
    name: 'blanks around names and values',
    lines: ['Cookie:  a = 1 ;\tb\t=\t2\t'],
    sees: { 'cookie a': '1', 'cookie b': '2' },
  },
  { name: 'a comma', lines: ['Cookie: a=1,b=2'], sees: { 'cookie a': '1,b=2', 'cookie b': null } },
  { name: 'an empty field of cookies', lines: ['Cookie:', 'Cookie: a=1'], sees: { 'cookie a': '1' } },
  {
    name: 'bytes and escapes in a cookie',
    lines: ['Cookie: a=%41\xff\xc3\xa9'],
    sees: { 'cookie a': '%41\xff\xc3\xa9' },
  },
];

const refusedMethods: OddRequest[] = [
  ...['get', 'Get', 'GET1', 'G.T', 'A!B'].map((method) => ({ name: `the method ${method}`, method, sees: undefined })),
  ...['TRACE', 'CONNECT'].map((method) => ({ name: `the method ${method}`, method, sees: undefined, status: 405 })),
  ...['-', '_', 'PURGE', 'TRACK', 'X'.repeat(32)].map((method) => ({
    name: `the method ${method}`,
    method,
    sees: { method },
  })),
];

const refusedHosts: OddRequest[] = [
  ...['', ' ', 'odd.test/', 'odd..test', 'odd test', '[::1]', '[::1', 'a@odd.test', 'odd.test#', 'odd.test?'],
  ...['odd%2etest', '*.test', '.odd.test', 'odd.test,odd.test', 'x'.repeat(300), 'odd.test\\'],
].map((host) => ({ name: `the host "${host.slice(0, 20)}"`, host, sees: undefined }));

/** Fields with which the head is as long as it may be, or one byte longer. */
const line = (bytes: number) => `X-A: ${'a'.repeat(bytes - 'X-A: \r\n'.length)}`;
const targetOf = (bytes: number) => `/${'a'.repeat(bytes - 'GET / HTTP/1.1\r\n'.length)}`;
const sizes: OddRequest[] = [
  { name: 'a first line that fills a buffer', target: targetOf(16_384), sees: { rawPath: targetOf(16_384) } },
  { name: 'a first line of a byte more', target: targetOf(16_385), sees: undefined, status: 414 },
  { name: 'a query of 20 kB', target: `/?${'a'.repeat(20_000)}`, sees: undefined, status: 414 },
  { name: 'a field that fills a buffer', lines: [line(16_384)], sees: { 'header xa': null } },
  { name: 'a field of a byte more', lines: [line(16_385)], sees: undefined, status: 431 },
  { name: 'four long fields', lines: Array(4).fill(line(12_000)), sees: { 'header xa': null } },
  { name: 'five long fields', lines: Array(5).fill(line(12_000)), sees: undefined, status: 431 },
  { name: 'two fields in each buffer', lines: Array(8).fill(line(8_000)), sees: { 'header xa': null } },
  { name: 'two fields in each buffer, and one more', lines: Array(9).fill(line(8_000)), sees: undefined, status: 431 },
  // Host, and the two that every request here has.
  { name: '200 fields', lines: Array(197).fill('XA: a'), sees: { 'header x-a': null } },
  { name: 'Connection of 500 bytes', lines: [`Connection: ${'a,'.repeat(250)}`], sees: { 'header xa': null } },
  { name: 'Connection of a byte more', lines: [`Connection: ${'a,'.repeat(250)}a`], sees: undefined },
  {
    name: 'Connection of more bytes in several fields',
    lines: Array(6).fill(`Connection: ${'a,'.repeat(50)}`),
    sees: undefined,
  },
  { name: '201 fields', lines: Array(198).fill('XA: a'), sees: undefined },
];

const ONCE = [
  ...['Host', 'If-Modified-Since', 'If-Unmodified-Since', 'If-Match', 'If-None-Match', 'If-Range'],
  ...['Content-Range', 'Expect', 'Authorization'],
];
const OFTEN = [
  ...['User-Agent', 'Referer', 'Content-Type', 'Range', 'TE', 'Upgrade', 'Accept-Encoding', 'Via', 'Accept'],
  ...['X-Real-IP', 'Accept-Language', 'Connection', 'Date'],
];
const repeated: OddRequest[] = [
  ...ONCE.map((name) => ({
    name: `${name} twice`,
    lines: name === 'Host' ? [`Host: ${ODD_HOST}`] : [`${name}: 0`, `${name.toLowerCase()}: 0`],
    sees: undefined,
  })),
  ...OFTEN.map((name) => ({ name: `${name} twice`, lines: [`${name}: 0`, `${name}: 0`], sees: { path: '/' } })),
];

const CHUNKED = 'Transfer-Encoding: chunked';
const END = '0\r\n\r\n';
const lengths: OddRequest[] = [
  ...['', 'x', '+1', '-1', '1,1', '1 1', '0x1', '1.0', '0;', '9223372036854775808', '99999999999999999999', '0\t'].map(
    (value) => ({
      name: `the length ${JSON.stringify(value)}`,
      method: 'POST',
      lines: [`Content-Length: ${value}`],
      sees: undefined,
    }),
  ),
  ...['0', ' 0 ', '00'].map((value) => ({
    name: `the length ${JSON.stringify(value)}`,
    method: 'POST',
    lines: [`Content-Length: ${value}`],
    sees: { method: 'POST' },
  })),
  { name: 'a length twice', lines: ['Content-Length: 0', 'Content-Length: 0'], sees: undefined },
  { name: 'a length and chunks', lines: ['Content-Length: 5', CHUNKED], body: END, sees: undefined },
  { name: 'chunks twice', lines: [CHUNKED, CHUNKED], body: END, sees: undefined },
  ...['chunked', 'Chunked', '  chunked '].map((value) => ({
    name: `a small body in chunks: ${JSON.stringify(value)}`,
    method: 'POST',
    lines: [`Transfer-Encoding: ${value}`],
    body: `1\r\na\r\n${END}`,
    sees: { method: 'POST' },
  })),
  ...['gzip, chunked', 'chunked\t', 'chunked, chunked', 'identity', '', 'x', 'chunked,'].map((value) => ({
    name: `the transfer encoding ${JSON.stringify(value)}`,
    method: 'POST',
    lines: [`Transfer-Encoding: ${value}`],
    body: END,
    sees: undefined,
    status: 501,
  })),
];

/** Requests that nginx, Node and LuaJIT are tempted to read differently. */
export const oddRequests: readonly OddRequest[] = [
  ...[...paths, ...targets, ...hosts, ...methods, ...headers, ...cookies],
  ...[...refusedMethods, ...refusedHosts, ...sizes, ...repeated, ...lengths],
];

/** All names that `sees` speaks of, and some more. */
export const oddNames = {
  headers: [
    'host',
    'x-a',
    'x_a',
    'x.a',
    'xa',
    'x-a-b',
    'cookie',
    'accept',
    'user-agent',
    'x-forwarded-for',
    'cordon-country',
    'constructor',
    '__proto__',
  ],
  cookies: ['a', 'A', 'a-b', 'a_b', 'ab', 'b', '', 'constructor'],
  args: ['a', 'A', 'a-b', 'ab', 'b', '%61', '', '__proto__', 'constructor'],
};
