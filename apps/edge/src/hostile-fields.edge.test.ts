import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { sendRaw } from './testing/raw.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';
import { workerTime } from './testing/worker-time.ts';

/** A worker is shared by all domains: whatever a visitor sends, it costs about what an ordinary request of its size does. */

const BYTES = 15_800;
const REQUESTS = 10;
/** What is read in proportion to its bytes costs up to some 20 times as much, what is read anew for each of them hundreds. */
const RATIO_MAX = 40;
const ROUNDS_MIN = 2;
const ROUNDS_MAX = 12;
/** What no two of are alike. */
function distinct(text: (at: number) => string): string {
  let all = '';
  for (let at = 1; all.length < BYTES - 20; at++) all += text(at);
  return all;
}
const fill = (text: string, bytes = BYTES) => text.repeat(Math.floor(bytes / text.length));

let edge: TestEdge;
let origin: TestOrigin;

beforeAll(async () => {
  origin = await startOrigin((_, response) => response.end('origin'));
  const upstream = testUpstream([testTarget(origin.port)]);
  const text = { test: 'is', values: ['x'] };
  const rules = [
    ...['cookie', 'argument'].map((field) => ({ field, name: 'x', ...text })),
    ...['path', 'query', 'user_agent'].map((field) => ({ field, ...text })),
  ].map((condition, at) => ({
    name: `rule ${at}`,
    action: 'block',
    enabled: true,
    when: { match: 'all', conditions: [condition] },
  }));
  const challenge = { mode: 'js', path: '^/', pass_time: '1h' };
  edge = await startEdge({
    workers: 1,
    environment: { CORDON_TRUSTED_PROXIES: '127.0.0.1' },
    routes: [
      testRoute({ hosts: ['plain.test'], upstream }),
      testRoute({ hosts: ['rules.test'], upstream, plugins: [{ name: 'blackrules', config: { black_rules: rules } }] }),
      testRoute({ hosts: ['proof.test'], upstream, plugins: [{ name: 'challenge', config: challenge }] }),
      testRoute({ hosts: [{ name: 'unproved.test', verified: false }], upstream }),
    ],
  });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

interface Sent {
  readonly host: string;
  readonly target?: string;
  readonly line?: string;
}

/** Milliseconds of the worker that such a request costs. */
async function costOf(bytes: Buffer): Promise<number> {
  const before = workerTime(edge);
  for (let at = 0; at < REQUESTS; at++) await sendRaw(edge.httpPort, bytes, 5000);
  return (workerTime(edge) - before) / REQUESTS;
}

/** HTTP/1.0: `Connection` is free for what is sent in it. */
const requestOf = ({ host, target = '/', line = 'X-A: a' }: Sent): Buffer =>
  Buffer.from(`GET ${target} HTTP/1.0\r\nHost: ${host}\r\nAccept: text/html\r\n${line}\r\n\r\n`, 'latin1');

/**
 * How many times what an ordinary request costs a hostile one does. Both in turn, and the least of several rounds: other
 * programs take a part of the processor's caches and clock from whichever is running. Not little yet: some more rounds.
 */
async function compareCost(hostile: Sent, ordinary: Sent): Promise<{ ratio: number; status: string }> {
  const [first, second] = [requestOf(hostile), requestOf(ordinary)];
  const status = (await sendRaw(edge.httpPort, first, 5000)).slice(9, 12);
  let [hostileMs, ordinaryMs] = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS_MAX; round++) {
    if (round >= ROUNDS_MIN && hostileMs / ordinaryMs < RATIO_MAX) break;
    hostileMs = Math.min(hostileMs, await costOf(first));
    ordinaryMs = Math.min(ordinaryMs, await costOf(second));
  }
  return { ratio: hostileMs / ordinaryMs, status };
}

const fields: readonly (readonly [string, string, string, string])[] = [
  ['Accept-Language of commas', 'no.such.test', `Accept-Language: ${fill(',')}`, '421'],
  ['Accept-Language of parameters', 'no.such.test', `Accept-Language: en${fill(';')}`, '421'],
  ['Accept-Language of a challenge', 'proof.test', `Accept-Language: ${fill(',')}`, '403'],
  ['CDN-Loop of entries', 'plain.test', `CDN-Loop: ${fill('a,')}`, '200'],
  ['CDN-Loop of names and blanks', 'plain.test', `CDN-Loop: ${fill(`cordon${' '.repeat(200)}`)}`, '200'],
  ['Connection of options', 'plain.test', `Connection: ${fill('a,')}`, '400'],
  ['X-Forwarded-For of commas', 'plain.test', `X-Forwarded-For: ${fill(',')}`, '200'],
  ['a preview token of dots', 'unproved.test', `Cordon-Preview: ${fill('.')}`, '421'],
  ['User-Agent', 'rules.test', `User-Agent: ${fill('G')}`, '200'],
  ['Referer', 'plain.test', `Referer: ${fill('%')}`, '200'],
  ['cookies', 'rules.test', `Cookie: ${fill('=;')}`, '200'],
  ['cookies in escapes', 'rules.test', `Cookie: ${fill('%41=%41;')}`, '200'],
  ['cookies of one name', 'rules.test', `Cookie: ${fill('x=;')}`, '403'],
  ['quotes that are opened', 'rules.test', `Cookie: ${fill('x="\\";')}`, '403'],
  ['a quote that is not closed', 'rules.test', `Cookie: x="${fill('\\"')}`, '200'],
  ['escapes in quotes', 'rules.test', `Cookie: x="${fill('\\101%41+')}"`, '200'],
  ['cookies with commas between them', 'rules.test', `Cookie: ${fill('x=,')}`, '403'],
  ['cookies with blanks around equals signs', 'rules.test', `Cookie: ${fill('x = ')}`, '403'],
  ['equals signs behind blanks', 'rules.test', `Cookie: x ${fill('= ')}`, '200'],
  [
    'a name and a value far apart',
    'rules.test',
    `Cookie: a b${fill(' ', BYTES / 2)}=${fill(' ', BYTES / 2 - 100)}c`,
    '200',
  ],
  ['quotes with blanks before them', 'rules.test', `Cookie: ${fill('x=\xa0"\\"\xa0;')}`, '403'],
  ['a value of blanks of Unicode', 'rules.test', `Cookie: x=a${fill('\xe2\x80\x83')}a\xa0`, '200'],
  [
    'a signed value of signed values',
    'rules.test',
    `Cookie: x=${fill('s:', BYTES / 2)}${fill('.', BYTES / 2 - 100)}`,
    '200',
  ],
  ['escapes in JSON', 'rules.test', `Cookie: x=j:"${fill('\\u0061')}"`, '200'],
  ['surrogates in JSON', 'rules.test', `Cookie: x=j:"${fill('\\ud83d')}"`, '200'],
  ['JSON of escaped quotes', 'rules.test', `Cookie: ${fill('x=j:"\\"";')}`, '403'],
  ['cookies with commas and no equals sign', 'rules.test', `Cookie: ${fill('a,;')}`, '200'],
  ['cookies that PHP gives other names', 'rules.test', `Cookie: ${distinct((at) => `+${at}.[]=;`)}`, '403'],
];
const targets: readonly (readonly [string, string, string, string])[] = [
  ['a query of secret names', 'plain.test', `/?${fill('token')}`, '200'],
  ['a query of names before an equals sign', 'plain.test', `/?${fill('token')}&=`, '200'],
  ['a query of what begins as a token', 'plain.test', `/?${fill('eyJ')}&a.a`, '200'],
  ['a query of quotes and names', 'plain.test', `/?${fill('"token')}"`, '200'],
  ['a query of escaped parameters', 'plain.test', `/?token=a&${fill('%41&')}`, '200'],
  ['a query of escapes', 'rules.test', `/?${fill('%2525&')}`, '200'],
  ['arguments', 'rules.test', `/?${fill('a&')}`, '200'],
  ['arguments of many names', 'rules.test', `/?${distinct((at) => `${at}&`)}`, '200'],
  ['arguments that are lists', 'rules.test', `/?${distinct((at) => `a[${at}]&`)}`, '403'],
  ['brackets', 'rules.test', `/?${fill('[')}`, '200'],
  ['names that end at brackets', 'rules.test', `/?${distinct((at) => `${at}=]=&`)}`, '403'],
  ['names that end at brackets or escaped ones', 'rules.test', `/?${fill('x[=%5D=]=;')}`, '403'],
  ['brackets before names', 'rules.test', `/?${fill('[x]=&')}`, '403'],
  ['blanks of Unicode in arguments', 'rules.test', `/?x=${fill('%E2%80%83')}a`, '200'],
  ['semicolons between arguments', 'rules.test', `/?${fill('x;')}`, '403'],
  ['a path of parameters', 'rules.test', `/${fill('a;')}`, '200'],
  ['a path of backslashes', 'rules.test', `/${fill('\\')}`, '200'],
  ['a path of which origins make many', 'rules.test', `/${fill('a/../b;c\\%2f..%2f')}`, '200'],
  ['a path of names with parameters that lead up', 'rules.test', `/${fill('..;\\%2f/')}`, '200'],
  ['a path parameter of secret names', 'plain.test', `/;${fill('token')}/=`, '200'],
];

describe('16 kB cost a worker little', () => {
  it.each(fields)('of %s', async (_, host, line, status) => {
    const compared = await compareCost({ host, line }, { host, line: `X-A: ${fill(',')}` });
    expect(compared.status).toBe(status);
    expect(compared.ratio).toBeLessThan(RATIO_MAX);
  });

  it.each(targets)('of %s', async (_, host, target, status) => {
    const compared = await compareCost({ host, target }, { host, target: `/?${fill('a')}` });
    expect(compared.status).toBe(status);
    expect(compared.ratio).toBeLessThan(RATIO_MAX);
  });
});
