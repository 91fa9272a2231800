import type { ServerResponse } from 'node:http';
import { connect as connectHttp2, constants } from 'node:http2';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { slowdown } from '../../../tests/support/slowness.ts';
import { workersOf } from './agent/processes.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { freePort } from './testing/ports.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** Less than the edge's own, which no test can wait for. */
const QUEUE_SECONDS = 2;

let edge: TestEdge;
let origin: TestOrigin;
/** Answers that the origin holds back, by the host they are for. */
let held: ServerResponse[] = [];
let openNow = 0;
let openMost = 0;

beforeAll(async () => {
  edge = await startEdge({
    workers: 2,
    environment: { CORDON_EDGE_LIMITS: JSON.stringify({ origin_queue_seconds: QUEUE_SECONDS }) },
  });
  origin = await startOrigin((_, response) => {
    openNow++;
    openMost = Math.max(openMost, openNow);
    response.on('close', () => openNow--);
    held.push(response);
  });
  const sockets = new WebSocketServer({ server: origin.server });
  sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(`echo ${data}`)));
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
});
beforeEach(() => {
  held = [];
  openMost = 0;
});

const limited = (host: string, limit: number, port = origin.port) =>
  testRoute({
    hosts: [host],
    // What the origin holds is held until the test lets it go, also on a slow machine.
    upstream: testUpstream([testTarget(port)], { connection_limit: limit, tries: 1, read_timeout_ms: 60_000 }),
  });

const until = async (condition: () => boolean, what: string) => {
  for (let at = 0; at < 3000 && !condition(); at++) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(condition(), what).toBe(true);
};

/** Whether another request gets through; what it holds is let go at once. */
async function hasRoom(host: string): Promise<boolean> {
  const before = held.length;
  const answer = edge.request(host);
  const first = await Promise.race([
    answer.then(({ status }) => status),
    until(() => held.length > before, 'the origin has it').then(() => 0),
  ]);
  if (first === 503) return false;
  held[before]?.end('late');
  await answer;
  return true;
}

/** What `attempt` gets once there is room: nginx gives a place back when it logs, which is after the answer. */
async function onceThereIsRoom<T>(attempt: () => Promise<T>, isRefused: (result: T) => boolean): Promise<T> {
  let result = await attempt();
  for (let at = 0; at < 100 && isRefused(result); at++) result = await attempt();
  return result;
}

const getsRoom = (host: string) =>
  onceThereIsRoom(
    () => hasRoom(host),
    (isIn) => !isIn,
  );

describe('the limit of requests open at an origin', () => {
  it('holds over all workers, and lets on what comes after', async () => {
    await edge.deploy(limited('limited.test', 5));
    const answers = Array.from({ length: 40 }, () => edge.request('limited.test'));
    await until(() => held.length === 5, 'five requests are at the origin');
    const refused = await Promise.race([Promise.all(answers.map((one) => one.then(() => 1))), settled(answers, 35)]);
    expect(refused).toBe(35);
    expect(openMost).toBe(5);
    for (const response of held) response.end('done');
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(statuses.filter((status) => status === 503)).toHaveLength(35);
    expect(await edge.control.row(({ reason }) => reason === 'origin_limit')).toMatchObject({
      status: 503,
      action: 'block',
      plugin: '',
      upstream_address: '',
    });
    for (let at = 0; at < 10; at++) expect(await getsRoom('limited.test')).toBe(true);
  });

  it('lets the next in as soon as there is room, whichever worker has it', async () => {
    await edge.deploy(limited('queue.test', 2));
    for (let round = 0; round < 12; round++) {
      held = [];
      const inside = [edge.request('queue.test'), edge.request('queue.test')];
      await until(() => held.length === 2, 'two requests are at the origin');
      const next = edge.request('queue.test');
      await new Promise((resolve) => setTimeout(resolve, 60));
      expect(held).toHaveLength(2);
      const freedAt = performance.now();
      held[0]?.end();
      await until(() => held.length === 3, 'the one that waited is at the origin');
      expect((performance.now() - freedAt) / slowdown()).toBeLessThan(QUEUE_SECONDS * 500);
      for (const response of held) response.end();
      expect((await Promise.all([...inside, next])).map(({ status }) => status)).toEqual([200, 200, 200]);
    }
    expect(openMost).toBe(2);
  });

  it('keeps the origin as busy as it may be while others wait', async () => {
    const quick = await startOrigin((_, response) => setTimeout(() => response.end('done'), 20));
    try {
      await edge.deploy(limited('busy.test', 10, quick.port));
      const startedAt = performance.now();
      // Two more than may be inside, at all times: as many wait.
      const lanes = Array.from({ length: 12 }, async () => {
        const statuses: number[] = [];
        for (let at = 0; at < 25; at++) statuses.push((await edge.request('busy.test')).status);
        return statuses;
      });
      const statuses = (await Promise.all(lanes)).flat();
      expect(statuses.filter((status) => status !== 200)).toEqual([]);
      // 300 requests of 20 ms, ten at a time.
      expect((performance.now() - startedAt) / slowdown()).toBeLessThan(3000);
    } finally {
      await quick.stop();
    }
  });

  it('refuses who waited in vain after a while, and at once who finds a full queue', async () => {
    await edge.deploy(limited('full.test', 1));
    const first = edge.request('full.test');
    await until(() => held.length === 1, 'one request is at the origin');
    const startedAt = performance.now();
    const waits = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { status, headers } = await edge.request('full.test');
        expect([status, headers['retry-after']]).toEqual([503, '5']);
        return performance.now() - startedAt;
      }),
    );
    const late = waits.filter((wait) => wait >= QUEUE_SECONDS * 1000 - 20);
    expect(late).toHaveLength(1);
    expect(waits.filter((wait) => wait < QUEUE_SECONDS * 500)).toHaveLength(19);
    held[0]?.end();
    expect((await first).status).toBe(200);
  });

  it('lets all in who wait when the limit is raised or taken away', async () => {
    for (const [host, raised] of [
      ['raised.test', 100],
      ['lifted.test', 0],
    ] as const) {
      held = [];
      const route = limited(host, 3);
      await edge.deploy(route);
      const answers = Array.from({ length: 6 }, () => edge.request(host));
      await until(() => held.length === 3, 'three are at the origin, three wait');
      await edge.deploy({ ...route, ...limited(host, raised), id: route.id });
      answers.push(edge.request(host), edge.request(host));
      await until(() => held.length === 8, 'all are at the origin');
      for (const response of held) response.end();
      for (const answer of answers) expect((await answer).status).toBe(200);
    }
  });

  it.each(['GET', 'POST'])('gives places in the queue to others when those who wait leave: %s', async (method) => {
    const host = `left-${method.toLowerCase()}.test`;
    await edge.deploy(limited(host, 3));
    const inside = Array.from({ length: 3 }, () => edge.request(host));
    await until(() => held.length === 3, 'three are at the origin');
    const leavers = Array.from({ length: 3 }, () => {
      const socket = connect(edge.httpPort, '127.0.0.1');
      socket.write(`${method} / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${method === 'GET' ? 0 : 4}\r\n\r\n`);
      if (method === 'POST') socket.write('body');
      return socket;
    });
    await new Promise((resolve) => setTimeout(resolve, 150));
    const startedAt = performance.now();
    expect((await edge.request(host)).status).toBe(503);
    expect((performance.now() - startedAt) / slowdown()).toBeLessThan(QUEUE_SECONDS * 300);
    for (const socket of leavers) socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 250));
    const next = edge.request(host);
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (const response of held) response.end();
    expect((await Promise.all(inside)).map(({ status }) => status)).toEqual([200, 200, 200]);
    await until(() => held.length === 4, 'the one that waited is at the origin');
    held[3]?.end();
    expect((await next).status).toBe(200);
    expect(await edge.control.row(({ status, host: name }) => status === 499 && name === host)).toBeDefined();
  });

  it('gives places in the queue to others when streams that wait are reset', async () => {
    await edge.deploy(limited('reset.test', 3));
    const inside = Array.from({ length: 3 }, () => edge.request('reset.test'));
    await until(() => held.length === 3, 'three are at the origin');
    const session = connectHttp2(`https://127.0.0.1:${edge.httpsPort}`, { rejectUnauthorized: false });
    const streams = Array.from({ length: 3 }, () =>
      session.request({ ':path': '/', ':authority': 'reset.test' }).on('error', () => {}),
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (const stream of streams) stream.close(constants.NGHTTP2_CANCEL);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const next = edge.request('reset.test');
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (const response of held) response.end();
    await until(() => held.length === 4, 'the one that waited is at the origin');
    held[3]?.end();
    expect((await next).status).toBe(200);
    for (const answer of inside) expect((await answer).status).toBe(200);
    session.destroy();
  });

  it('answers with the page of the brand, and says when to come again', async () => {
    await edge.deploy(limited('page.test', 1));
    const first = edge.request('page.test');
    await until(() => held.length === 1, 'one request is at the origin');
    const refused = await edge.request('page.test', { headers: { accept: 'text/html', 'accept-language': 'zh' } });
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    expect(refused.body).toContain('服务器繁忙');
    expect(refused.body).toContain('Cordon');
    held[0]?.end();
    expect((await first).status).toBe(200);
  });

  it('gets its places back from visitors who leave and origins that fail', async () => {
    await edge.deploy(limited('leaving.test', 2));
    const leavers = Array.from({ length: 2 }, () => {
      const socket = connect(edge.httpPort, '127.0.0.1');
      socket.write('GET / HTTP/1.1\r\nHost: leaving.test\r\n\r\n');
      return socket;
    });
    await until(() => held.length === 2, 'two requests are at the origin');
    expect((await edge.request('leaving.test')).status).toBe(503);
    const waiting = connect(edge.httpPort, '127.0.0.1');
    waiting.write('GET / HTTP/1.1\r\nHost: leaving.test\r\n\r\n');
    for (const socket of [...leavers, waiting]) socket.destroy();
    await until(() => openNow === 0, 'the edge has left the origin');
    expect(await getsRoom('leaving.test')).toBe(true);

    await edge.deploy(limited('failing.test', 1, await freePort()));
    const failing = () => edge.request('failing.test').then(({ status }) => status);
    for (let at = 0; at < 6; at++) expect(await onceThereIsRoom(failing, (status) => status === 503)).toBe(502);
  });

  it('counts websockets for as long as they are open', async () => {
    await edge.deploy(limited('sockets.test', 1));
    const open = () =>
      new Promise<WebSocket>((resolve, reject) => {
        const socket = new WebSocket(`ws://127.0.0.1:${edge.httpPort}/`, { headers: { host: 'sockets.test' } });
        socket.once('open', () => resolve(socket));
        socket.once('error', reject);
      });
    const socket = await open();
    await expect(open()).rejects.toThrow('503');
    expect((await edge.request('sockets.test')).status).toBe(503);
    const over = new Promise((resolve) => socket.once('close', resolve));
    socket.close();
    await over;
    expect(await getsRoom('sockets.test')).toBe(true);
  });

  it('forgets what a killed worker had open', async () => {
    await edge.deploy(limited('killed.test', 2));
    const lost = Array.from({ length: 2 }, () => edge.request('killed.test').catch(() => undefined));
    await until(() => held.length === 2, 'two requests are at the origin');
    for (const pid of workersOf(edge.nginxPid)) process.kill(pid, 'SIGKILL');
    await Promise.all(lost);
    let answers = 0;
    for (let at = 0; at < 200 && answers < 4; at++) {
      const isIn = await hasRoom('killed.test').catch(() => false);
      if (isIn) answers++;
      else await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(answers).toBe(4);
  });

  it('counts what workers of before a reload still have open', async () => {
    await edge.deploy(limited('reloaded.test', 2));
    const before = workersOf(edge.nginxPid);
    const old = [edge.request('reloaded.test'), edge.request('reloaded.test')];
    await until(() => held.length === 2, 'two requests are at the origin');
    process.kill(edge.nginxPid, 'SIGHUP');
    await until(() => workersOf(edge.nginxPid).filter((pid) => !before.includes(pid)).length === 2, 'new workers run');
    const more = await Promise.all(Array.from({ length: 4 }, () => edge.request('reloaded.test')));
    expect(more.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
    for (const response of held) response.end();
    expect((await Promise.all(old)).map(({ status }) => status)).toEqual([200, 200]);
    for (let at = 0; at < 4; at++) expect(await getsRoom('reloaded.test')).toBe(true);
    expect(openMost).toBe(2);
  });

  it('is none at zero', async () => {
    await edge.deploy(limited('unlimited.test', 0));
    const answers = Array.from({ length: 30 }, () => edge.request('unlimited.test'));
    await until(() => held.length === 30, 'all are at the origin');
    for (const response of held) response.end();
    expect((await Promise.all(answers)).every(({ status }) => status === 200)).toBe(true);
  });
});

/** Resolves with `count` once so many of the calls have been answered. */
function settled(calls: readonly Promise<unknown>[], count: number): Promise<number> {
  return new Promise((resolve) => {
    let done = 0;
    for (const call of calls) {
      call.then(() => {
        done++;
        if (done === count) resolve(count);
      });
    }
  });
}
