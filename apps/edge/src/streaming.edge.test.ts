import { createHash, randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { createServer as createTcpServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { freePort } from './testing/ports.ts';
import { sendRaw } from './testing/raw.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

let edge: TestEdge;
let origin: TestOrigin;
let hinting: Server;
const hintingRequests: string[] = [];
const BIG = 24 * 1024 * 1024;

/** Bytes of `/big` that the origin has got rid of. */
let bigSent = 0;
/** Resolves when the test lets the origin go on. */
let goOn: () => void = () => {};
let firstPart: Promise<void>;

beforeAll(async () => {
  let arrivedFirst: () => void = () => {};
  firstPart = new Promise((resolve) => {
    arrivedFirst = resolve;
  });
  origin = await startOrigin((request, response) => {
    if (request.url === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
      let sent = 1;
      goOn = () => {
        sent++;
        if (sent < 4) response.write(`data: ${sent}\n\n`);
        else response.end();
      };
    } else if (request.url === '/upload') {
      request.once('data', () => arrivedFirst());
      const hash = createHash('sha256');
      request.on('data', (part: Buffer) => hash.update(part));
      request.on('end', () => response.end(hash.digest('hex')));
    } else if (request.url === '/big') {
      const part = Buffer.alloc(65536, 'x');
      bigSent = 0;
      const write = () => {
        while (bigSent < BIG) {
          bigSent += part.length;
          if (!response.write(part)) return void response.once('drain', write);
        }
        response.end();
      };
      write();
    } else {
      response.end(`${request.httpVersion} ${request.headers['x-forwarded-proto']}`);
    }
  });
  const websockets = new WebSocketServer({ server: origin.server });
  websockets.on('connection', (socket) => socket.on('message', (data) => socket.send(`echo ${data}`)));
  hinting = createTcpServer((socket) => {
    socket.on('error', () => {});
    let text = '';
    socket.on('data', (part: Buffer) => {
      text += part.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end < 0) return;
      hintingRequests.push(text);
      const framing = /^GET \/framing\?(\S+)/.exec(text)?.[1];
      text = '';
      if (framing) {
        socket.end(`HTTP/1.1 200 OK\r\n${decodeURIComponent(framing)}\r\n\r\n5\r\nhello\r\n0\r\n\r\n`);
        return;
      }
      socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n');
      socket.write(
        'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Real: 1\r\nX-Accel-Redirect: /x\r\n\r\n5\r\nhello\r\n',
      );
      setTimeout(() => socket.write('6\r\n world\r\n0\r\n\r\n'), 50);
    });
  });
  const hintingPort = await freePort();
  await new Promise<void>((resolve) => hinting.listen(hintingPort, '127.0.0.1', resolve));
  const upstream = testUpstream([testTarget(origin.port)]);
  edge = await startEdge({
    routes: [
      testRoute({ hosts: ['site.test'], upstream }),
      testRoute({ hosts: ['free.test'], tier: 'free', upstream }),
      testRoute({ hosts: ['hints.test'], upstream: testUpstream([testTarget(hintingPort)]) }),
      testRoute({ hosts: ['hints2.test'], upstream: testUpstream([testTarget(hintingPort)]) }),
      testRoute({ hosts: ['hints3.test'], upstream: testUpstream([testTarget(hintingPort)]) }),
    ],
  });
});

afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
  hinting?.close();
});

/** Waits until a number has risen and rises no more; answers it. */
async function standsStill(read: () => number): Promise<number> {
  for (let last = 0, times = 0; ; ) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    const now = read();
    times = now === last && now > 0 ? times + 1 : 0;
    if (times === 4) return now;
    last = now;
  }
}

describe('bodies', () => {
  it('of events arrive at once', async () => {
    const parts: string[] = [];
    await new Promise<void>((resolve, reject) => {
      const call = httpRequest(
        { host: '127.0.0.1', port: edge.httpPort, path: '/events', headers: { host: 'site.test' } },
        (response) => {
          response.setEncoding('utf8');
          response.on('data', (part: string) => {
            parts.push(part);
            // The origin says the next one only when this one has arrived.
            goOn();
          });
          response.on('end', resolve);
        },
      );
      call.on('error', reject);
      call.end();
    });
    expect(parts).toEqual(['data: 1\n\n', 'data: 2\n\n', 'data: 3\n\n']);
  });

  it.each([
    ['with a length', true],
    ['in chunks', false],
  ])('of uploads %s reach the origin while they are sent', async (_, hasLength) => {
    const half = randomBytes(3_000_000);
    const answer = await new Promise<string>((resolve, reject) => {
      const headers = { host: 'site.test', ...(hasLength ? { 'content-length': half.length * 2 } : {}) };
      const call = httpRequest(
        { host: '127.0.0.1', port: edge.httpPort, method: 'PUT', path: '/upload', headers },
        (response) => {
          let body = '';
          response.on('data', (part) => {
            body += part;
          });
          response.on('end', () => resolve(body));
        },
      );
      call.on('error', reject);
      call.write(half);
      void firstPart.then(() => call.end(half));
    });
    expect(answer).toBe(createHash('sha256').update(half).update(half).digest('hex'));
  });

  it('of any size pass without touching the disk', async () => {
    const runDir = (
      JSON.parse(
        await import('node:fs').then(({ readFileSync }) => readFileSync(`${edge.dir}/nginx.json`, 'utf8')),
      ) as { runDir: string }
    ).runDir;
    let sentAtRest = BIG;
    const size = await new Promise<number>((resolve, reject) => {
      const call = httpRequest(
        { host: '127.0.0.1', port: edge.httpPort, path: '/big', headers: { host: 'site.test' } },
        (response) => {
          let bytes = 0;
          response.pause();
          // Where nothing takes it, the origin cannot go on: a disk would take it all.
          void standsStill(() => bigSent).then((sent) => {
            sentAtRest = sent;
            response.resume();
          });
          response.on('data', (part: Buffer) => {
            bytes += part.length;
          });
          response.on('end', () => resolve(bytes));
        },
      );
      call.on('error', reject);
      call.end();
    });
    expect(size).toBe(BIG);
    expect(sentAtRest).toBeLessThan(BIG);
    expect(readdirSync(`${runDir}/temp/proxy`)).toEqual([]);
    expect(readdirSync(`${runDir}/temp/body`)).toEqual([]);
  });
});

it('HTTP/2 is spoken to visitors, HTTP/1.1 to origins', async () => {
  const session = connectHttp2(`https://127.0.0.1:${edge.httpsPort}`, {
    rejectUnauthorized: false,
    servername: 'site.test',
  });
  const body = await new Promise<string>((resolve, reject) => {
    session.on('error', reject);
    const stream = session.request({ ':path': '/', ':authority': 'site.test' });
    let text = '';
    stream.on('data', (part) => {
      text += part;
    });
    stream.on('end', () => resolve(text));
    stream.on('error', reject);
  });
  expect(body).toBe('1.1 https');
  const status = await new Promise((resolve) => {
    const stream = session.request({ ':path': '/', ':authority': 'unknown.test', ':method': 'POST' });
    stream.on('response', (headers) => resolve(headers[':status']));
    stream.end('body');
  });
  expect(status).toBe(421);
  session.destroy();
});

describe('websockets', () => {
  const open = (host: string) =>
    new Promise<WebSocket>((resolve, reject) => {
      const socket = new WebSocket(`ws://127.0.0.1:${edge.httpPort}/`, { headers: { host } });
      socket.once('open', () => resolve(socket));
      socket.once('error', reject);
    });
  const echo = (socket: WebSocket) =>
    new Promise<string>((resolve) => {
      socket.once('message', (data) => resolve(String(data)));
      socket.send('x');
    });
  const close = (socket: WebSocket) =>
    new Promise((resolve) => {
      socket.once('close', resolve);
      socket.close();
    });

  it('pass in both directions', async () => {
    const socket = await open('site.test');
    expect(await echo(socket)).toBe('echo x');
    await close(socket);
  });

  it('of a free domain are at most ten at once', async () => {
    const sockets = await Promise.all(Array.from({ length: 10 }, () => open('free.test')));
    expect(await echo(sockets[9] as WebSocket)).toBe('echo x');
    await expect(open('free.test')).rejects.toThrow('503');
    await close(sockets.pop() as WebSocket);
    // The edge counts the end when nginx logs it.
    const next = await vi.waitFor(() => open('free.test'), { timeout: 10_000, interval: 50 });
    expect(await echo(next)).toBe('echo x');
    for (const socket of [...sockets, next]) await close(socket);
    expect(await edge.control.row(({ reason }) => reason === 'websocket_limit')).toMatchObject({
      status: 503,
      action: 'block',
      plugin: '',
    });
  });

  it('are the only thing that leaves HTTP', async () => {
    const answer = await sendRaw(
      edge.httpPort,
      'GET /h2c HTTP/1.1\r\nHost: site.test\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    const { url, headers } = origin.requests.at(-1) ?? {};
    expect(url).toBe('/h2c');
    expect(headers).not.toHaveProperty('upgrade');
  });
});

describe('an origin that sends early hints', () => {
  it('is answered over another way, after one redirect', async () => {
    const first = await edge.request('hints.test', { path: '//page' });
    expect(first).toMatchObject({ status: 307, body: '' });
    expect(first.headers.location).toBe('http://hints.test//page');
    for (let at = 0; at < 3; at++) {
      const answer = await edge.request('hints.test', { path: `/page?n=${at}`, headers: { 'X-Own': 'a' } });
      expect(answer).toMatchObject({ status: 200, body: 'hello world' });
      expect(answer.headers['x-real']).toBe('1');
      expect(answer.headers).not.toHaveProperty('x-accel-redirect');
    }
    const last = hintingRequests.at(-1) ?? '';
    expect(last).toMatch(/^GET \/page\?n=2 HTTP\/1.1\r\nHost: hints.test\r\n/);
    expect(last.toLowerCase()).toContain('x-own: a');
    expect(last).toContain('X-Forwarded-For: 127.0.0.1');
    expect(last).toContain('CDN-Loop: cordon');
    expect(hintingRequests).toHaveLength(4);
    const absolute = 'GET http://hints.test?n=3 HTTP/1.1\r\nHost: hints.test\r\nConnection: close\r\n\r\n';
    await sendRaw(edge.httpPort, Buffer.from(absolute));
    expect(hintingRequests.at(-1)).toMatch(/^GET \/\?n=3 HTTP\/1.1\r\n/);
  });

  it('is sent to the name of the request, whatever else the Host field says', async () => {
    const answer = await sendRaw(
      edge.httpPort,
      'GET http://hints3.test/page HTTP/1.1\r\nHost: evil.test:81\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1.1 307 /);
    expect(answer).toContain('http://hints3.test/page');
    expect(answer).not.toContain('evil');
  });

  it.each([
    ['two framings', 'Content-Length: 3\r\nTransfer-Encoding: chunked'],
    ['two lengths', 'Content-Length: 3\r\nContent-Length: 5'],
    ['a hexadecimal length', 'Content-Length: 0x10'],
    ['a length with an exponent', 'Content-Length: 1e1'],
    ['an unknown coding', 'Transfer-Encoding: gzip, chunked'],
  ])('is not believed with %s', async (_, fields) => {
    await edge.request('hints.test', { path: '/' });
    const answer = await edge.request('hints.test', { path: `/framing?${encodeURIComponent(fields)}` });
    expect(answer.status).toBe(502);
    expect(answer.body).not.toContain('hello');
  });

  it('gets bodies of HTTP/2 whole, and none that are too big', async () => {
    await edge.request('hints.test', { path: '/' });
    const session = connectHttp2(`https://127.0.0.1:${edge.httpsPort}`, {
      rejectUnauthorized: false,
      servername: 'hints.test',
    });
    const post = (bytes: number) =>
      new Promise<number>((resolve, reject) => {
        const stream = session.request({ ':path': '/', ':authority': 'hints.test', ':method': 'POST' });
        stream.on('response', (headers) => resolve(Number(headers[':status'])));
        stream.on('error', reject);
        stream.end(Buffer.alloc(bytes, 'x'));
      });
    expect(await post(100_000)).toBe(200);
    expect(hintingRequests.at(-1)).toContain('Content-Length: 100000');
    const before = hintingRequests.length;
    expect(await post(9 * 1024 * 1024)).toBe(413);
    expect(hintingRequests).toHaveLength(before);
    session.destroy();
  });

  it('is not sent a POST twice: the first fails, later ones pass', async () => {
    const before = hintingRequests.length;
    const post = () => edge.request('hints2.test', { method: 'POST', body: 'abc' });
    expect((await post()).status).toBe(502);
    expect(hintingRequests).toHaveLength(before + 1);
    expect(await post()).toMatchObject({ status: 200, body: 'hello world' });
    expect(hintingRequests.at(-1)).toContain('Content-Length: 3');
  });
});
