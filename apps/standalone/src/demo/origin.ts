import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { pageFor } from './pages.ts';

/** The demo's origin: small enough to read, varied enough to try every kind of response through the edge. */
export interface DemoOrigin {
  readonly port: number;
  /** `127.0.0.1:port`, as CORDON_UPSTREAM_ALLOW wants it. */
  readonly address: string;
  close(): Promise<void>;
}

const BODY_BYTES_SHOWN_MAX = 64 * 1024;
const STREAM_BYTES_MAX = 1024 * 1024 * 1024;
const SLOW_MS_MAX = 60_000;
const CHUNK = Buffer.alloc(64 * 1024, 'cordon ');

/** Listens on loopback, on `port` or (0) on a free one. */
export async function startDemoOrigin(port: number): Promise<DemoOrigin> {
  const server = createServer((req, res) => {
    route(req, res).catch(() => res.destroy());
  });
  const websockets = new WebSocketServer({ server, path: '/ws', maxPayload: 1024 * 1024 });
  websockets.on('connection', (socket) => {
    socket.on('error', () => socket.terminate());
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const bound = listeningPort(server);
  return {
    port: bound,
    address: `127.0.0.1:${bound}`,
    close: () =>
      new Promise((resolve) => {
        for (const socket of websockets.clients) socket.terminate();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function route(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const url = new URL(req.url ?? '/', 'http://origin');
  const [, first = '', second = ''] = url.pathname.split('/');
  res.setHeader('X-Demo-Origin', 'yes');
  switch (first) {
    case 'echo':
      return echo(req, res, url);
    case 'status':
      status(res, Number(second));
      return;
    case 'slow':
      await sleep(Math.min(SLOW_MS_MAX, Math.max(0, Number(url.searchParams.get('ms')) || 0)));
      sendText(res, 200, 'slow\n');
      return;
    case 'bytes':
      return bytes(res, Number(second));
    case 'upload':
      return upload(req, res);
    default:
      page(req, res, url);
  }
}

async function echo(req: IncomingMessage, res: ServerResponse, url: URL): Promise<void> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    if (size < BODY_BYTES_SHOWN_MAX) chunks.push(chunk);
    size += chunk.length;
  }
  const headers: [string, string][] = [];
  for (let at = 0; at < req.rawHeaders.length; at += 2)
    headers.push([req.rawHeaders[at] ?? '', req.rawHeaders[at + 1] ?? '']);
  const body = Buffer.concat(chunks).subarray(0, BODY_BYTES_SHOWN_MAX).toString('utf8');
  const request = {
    method: req.method,
    path: url.pathname,
    query: url.search.slice(1),
    http_version: req.httpVersion,
    headers,
    body,
    body_bytes: size,
    remote_address: req.socket.remoteAddress,
  };
  res.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  res.end(`${JSON.stringify(request, null, 2)}\n`);
}

function status(res: ServerResponse, code: number): void {
  if (!Number.isInteger(code) || code < 200 || code > 599) {
    sendText(res, 400, 'a status from 200 to 599\n');
    return;
  }
  if (code >= 300 && code < 400) res.setHeader('Location', '/');
  if (code === 204 || code === 304) {
    res.writeHead(code).end();
    return;
  }
  sendText(res, code, `${code}\n`);
}

/** Exactly N bytes, made as fast as the reader takes them. */
async function bytes(res: ServerResponse, wanted: number): Promise<void> {
  if (!Number.isInteger(wanted) || wanted < 0 || wanted > STREAM_BYTES_MAX) {
    sendText(res, 400, 'too many\n');
    return;
  }
  res.writeHead(200, { 'Content-Type': 'application/octet-stream', 'Content-Length': wanted });
  for (let left = wanted; left > 0 && !res.destroyed; left -= CHUNK.length) {
    if (!res.write(CHUNK.subarray(0, Math.min(left, CHUNK.length)))) await drained(res);
  }
  res.end();
}

function drained(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      res.off('drain', done);
      res.off('close', done);
      resolve();
    };
    res.on('drain', done);
    res.on('close', done);
  });
}

async function upload(req: IncomingMessage, res: ServerResponse): Promise<void> {
  let received = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) received += chunk.length;
  res.writeHead(200, { 'Content-Type': 'application/json' });
  res.end(`${JSON.stringify({ method: req.method, received })}\n`);
}

function page(req: IncomingMessage, res: ServerResponse, url: URL): void {
  const found = pageFor(url.pathname, req.headers.host ?? '');
  if (!found) {
    sendText(res, 404, 'not found\n');
    return;
  }
  const headers = { 'Content-Type': found.type, 'Cache-Control': 'public, max-age=60', ETag: found.etag };
  if (req.headers['if-none-match'] === found.etag) {
    res.writeHead(304, headers).end();
    return;
  }
  res.writeHead(200, { ...headers, 'Content-Length': found.body.length });
  res.end(req.method === 'HEAD' ? undefined : found.body);
}

function sendText(res: ServerResponse, code: number, text: string): void {
  res.writeHead(code, { 'Content-Type': 'text/plain; charset=utf-8' });
  res.end(text);
}

function listeningPort(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
