import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { passOf } from './testing/prove.ts';
import { sendRaw } from './testing/raw.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** Rules of path and User-Agent are not gone through again for a request that they had no effect on (known-requests.ts). */

const contains = (field: 'path' | 'user_agent', value: string) => ({
  field,
  test: 'contains',
  values: [value],
  ignore_case: true,
  not: false,
});

const block = (name: string, match: 'all' | 'any', ...conditions: object[]) => ({
  name,
  action: 'block',
  enabled: true,
  when: { match, not: false, conditions },
});

/** Their number makes a request that goes through them one that counts against the domain's share of the worker. */
const many = Array.from({ length: 100 }, (_, rule) =>
  block(
    `many ${rule}`,
    'any',
    ...Array.from({ length: 4 }, (_, part) => ({
      field: 'path',
      test: 'contains',
      values: Array.from({ length: 100 }, (_, value) => `v${rule}-${part}-${value}`),
      ignore_case: false,
      not: false,
    })),
  ),
);

let edge: TestEdge;
let origin: TestOrigin;

const routeOf = (host: string, rules: readonly object[], id?: string) =>
  testRoute({
    ...(id === undefined ? {} : { id }),
    hosts: [host],
    upstream: testUpstream([testTarget(origin.port)]),
    plugins: [{ name: 'blackrules', config: { black_rules: rules } }],
  });

const first = [
  block('scanner', 'any', contains('user_agent', 'sqlmap'), contains('path', '/wp-login.php')),
  block('old app', 'all', contains('user_agent', 'app/1'), contains('path', '/api')),
];

beforeAll(async () => {
  origin = await startOrigin((_, response) => response.end('origin'));
  edge = await startEdge({
    workers: 1,
    routes: [
      routeOf('one.test', first),
      routeOf('other.test', [block('all', 'any', contains('path', '/'))]),
      routeOf('many.test', many),
    ],
  });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});

async function statusOf(host: string, path: string, ...agents: string[]): Promise<string> {
  const fields = agents.map((agent) => `User-Agent: ${agent}\r\n`).join('');
  const answer = await sendRaw(
    edge.httpPort,
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${fields}Connection: close\r\n\r\n`,
  );
  return answer.slice(9, 12);
}

const often = async (host: string, path: string, ...agents: string[]) => {
  const statuses = new Set<string>();
  for (let at = 0; at < 3; at++) statuses.add(await statusOf(host, path, ...agents));
  return [...statuses].join();
};

describe('what rules had no effect on', () => {
  it('passes again, and nothing else with it', async () => {
    expect(await often('one.test', '/page', 'Browser')).toBe('200');
    expect(await often('one.test', '/page', 'sqlmap')).toBe('403');
    expect(await often('one.test', '/wp-login.php', 'Browser')).toBe('403');
    expect(await often('one.test', '/api', 'Browser')).toBe('200');
    expect(await often('one.test', '/page', 'app/1')).toBe('200');
    expect(await often('one.test', '/api', 'app/1')).toBe('403');
    expect(await often('other.test', '/page', 'Browser')).toBe('403');
  });

  it('is judged by each of several User-Agents and readings of its path', async () => {
    expect(await often('one.test', '/page', 'Browser')).toBe('200');
    expect(await often('one.test', '/page', 'Browser', 'sqlmap')).toBe('403');
    expect(await often('one.test', '/page', 'sqlmap', 'Browser')).toBe('403');
    expect(await often('one.test', '/page%2f..%2fwp-login.php', 'Browser')).toBe('403');
    expect(await often('one.test', '/page', 'Browser')).toBe('200');
  });

  it('is judged by what else a rule asks for', async () => {
    const isPost = { field: 'method', values: ['POST'], not: false };
    await edge.deploy(routeOf('form.test', [...first, block('form', 'all', isPost, contains('path', '/form'))]));
    expect(await often('form.test', '/form', 'Browser')).toBe('200');
    const answer = await sendRaw(
      edge.httpPort,
      'POST /form HTTP/1.1\r\nHost: form.test\r\nUser-Agent: Browser\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    );
    expect(answer.slice(9, 12)).toBe('403');
  });

  it('is not what a rule matched that lets pass: who has proved himself, and what is only logged', async () => {
    const challenge = { ...block('proof', 'any', contains('path', '/shop')), action: 'challenge' };
    const route = routeOf('proof.test', [
      { ...block('seen', 'any', contains('path', '/seen')), action: 'log' },
      challenge,
    ]);
    await edge.deploy(route);
    const from = '8.8.4.4';
    const ask = (path: string, headers: Readonly<Record<string, string>>) =>
      edge.request('proof.test', { path, from, headers: { 'user-agent': 'Browser', ...headers } });
    const pass = `cordon_pass=${passOf(route.id, from, 'js')}`;
    for (let at = 0; at < 3; at++) expect((await ask('/shop', { cookie: pass })).status).toBe(200);
    expect((await ask('/shop', {})).status).toBe(403);
    for (let at = 0; at < 3; at++) {
      const id = (await ask('/seen', {})).headers['x-request-id'];
      expect(await edge.control.row((row) => row.request_id === id)).toMatchObject({ action: 'log', rule: 'seen' });
    }
  });

  it('is judged anew by changed rules', async () => {
    const route = routeOf('changing.test', first);
    await edge.deploy(route);
    expect(await often('changing.test', '/page', 'Browser')).toBe('200');
    await edge.deploy({ ...routeOf('changing.test', [block('page', 'any', contains('path', '/page'))], route.id) });
    expect(await often('changing.test', '/page', 'Browser')).toBe('403');
    await edge.deploy(routeOf('changing.test', first, route.id));
    expect(await often('changing.test', '/page', 'Browser')).toBe('200');
  });

  it('takes nothing of the share that a domain has of its worker', async () => {
    const statuses = async (path: (at: number) => string) => {
      const answers: string[] = [];
      for (let at = 0; at < 60; at++) answers.push(await statusOf('many.test', path(at), 'Browser'));
      return answers.filter((status) => status !== '200').length;
    };
    expect(await statusOf('many.test', '/page', 'Browser')).toBe('200');
    expect(await statuses(() => '/page')).toBe(0);
    expect(await statuses((at) => `/page-${at}`)).toBeGreaterThan(0);
  });
});
