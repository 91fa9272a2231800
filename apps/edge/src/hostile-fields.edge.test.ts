import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { sendRaw } from './testing/raw.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** A worker is shared by all domains: whatever a visitor sends, it costs about what an ordinary request of its size does. */

const BYTES = 15_800;
const REQUESTS = 20;
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
  ].map((condition, at) => ({ name: `rule ${at}`, action: 'block', enabled: true, when: { conditions: [condition] } }));
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

/** Milliseconds that the worker has computed so far. */
function workerTime(): number {
  const master = edge.nginxPid;
  const worker = readFileSync(`/proc/${master}/task/${master}/children`, 'utf8').trim();
  return Number(readFileSync(`/proc/${worker}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

interface Sent {
  readonly host: string;
  readonly target?: string;
  readonly line?: string;
}

/** What one such request costs, and its status. HTTP/1.0: `Connection` is free for what is sent in it. */
async function costOf({ host, target = '/', line = 'X-A: a' }: Sent): Promise<{ ms: number; status: string }> {
  const bytes = Buffer.from(
    `GET ${target} HTTP/1.0\r\nHost: ${host}\r\nAccept: text/html\r\n${line}\r\n\r\n`,
    'latin1',
  );
  const first = await sendRaw(edge.httpPort, bytes, 5000);
  const before = workerTime();
  for (let at = 0; at < REQUESTS; at++) await sendRaw(edge.httpPort, bytes, 5000);
  return { ms: (workerTime() - before) / REQUESTS, status: first.slice(9, 12) };
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
];
const targets: readonly (readonly [string, string, string])[] = [
  ['a query of secret names', 'plain.test', `/?${fill('token')}`],
  ['a query of names before an equals sign', 'plain.test', `/?${fill('token')}&=`],
  ['a query of what begins as a token', 'plain.test', `/?${fill('eyJ')}&a.a`],
  ['a query of quotes and names', 'plain.test', `/?${fill('"token')}"`],
  ['a query of escaped parameters', 'plain.test', `/?token=a&${fill('%41&')}`],
  ['a query of escapes', 'rules.test', `/?${fill('%2525&')}`],
  ['arguments', 'rules.test', `/?${fill('a&')}`],
  ['a path of parameters', 'rules.test', `/${fill('a;')}`],
  ['a path of backslashes', 'rules.test', `/${fill('\\')}`],
  ['a path parameter of secret names', 'plain.test', `/;${fill('token')}/=`],
];

describe('16 kB cost a worker little', () => {
  it.each(fields)('of %s', async (_, host, line, status) => {
    const control = await costOf({ host, line: `X-A: ${fill(',')}` });
    const hostile = await costOf({ host, line });
    expect(hostile.status).toBe(status);
    expect(hostile.ms).toBeLessThan(Math.max(2, 6 * control.ms));
  });

  it.each(targets)('of %s', async (_, host, target) => {
    const control = await costOf({ host, target: `/?${fill('a')}` });
    const hostile = await costOf({ host, target });
    expect(hostile.status).toBe('200');
    expect(hostile.ms).toBeLessThan(Math.max(2, 6 * control.ms));
  });
});
