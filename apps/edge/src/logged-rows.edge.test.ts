import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { AdminClient } from './agent/admin-client.ts';
import { adminSocketIn } from './agent/run-dir.ts';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { sendRaw } from './testing/raw.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

let edge: TestEdge;
let admin: AdminClient;
let origin: TestOrigin;
/** Ends the answers to `/slow` that are under way. */
const ends: (() => void)[] = [];

beforeAll(async () => {
  origin = await startOrigin((request, response) => {
    if (request.url !== '/slow') return response.end('origin');
    response.write('begun');
    ends.push(() => response.end());
  });
  edge = await startEdge({
    workers: 2,
    routes: [testRoute({ hosts: ['rows.test'], upstream: testUpstream([testTarget(origin.port)]) })],
  });
  admin = new AdminClient(adminSocketIn(edge.runDir));
});
afterAll(async () => {
  admin?.close();
  await edge?.stop();
  await origin?.stop();
});

const owed = async () => (await admin.getStatus()).rows_owed;
const GET = 'GET / HTTP/1.1\r\nHost: rows.test\r\n\r\n';
/** No wait is as long, but on a very busy machine. */
const PATIENCE_MS = 20_000;
/** Until the edge closes the connection. */
const send = (port: number, bytes: string) => sendRaw(port, bytes, PATIENCE_MS);

/** Leaves after the first byte of an answer, or at once. */
function leave(bytes: string, waitsForAnswer: boolean): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(edge.httpPort, '127.0.0.1', () => {
      socket.write(bytes, () => {
        if (!waitsForAnswer) socket.destroy();
      });
    });
    socket.on('data', () => socket.destroy());
    socket.on('error', () => {});
    socket.on('close', () => resolve());
  });
}

const frame = (type: number, flags: number, stream: number, payload: Buffer) => {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
};
const SETTINGS = frame(4, 0, 0, Buffer.alloc(0));
const headers = (flags: number, payload: number[]) => frame(1, flags, 1, Buffer.from(payload));
/** Streams of HTTP/2 that end before a head has been read. */
const BROKEN = [
  // No HPACK (RFC 7541).
  headers(5, [0xff, 0xff, 0xff, 0xff, 0xff]),
  // A head that is given up in its middle.
  Buffer.concat([headers(1, [0x82]), frame(3, 0, 1, Buffer.from([0, 0, 0, 8]))]),
];

function breakHttp2(frames: Buffer): Promise<void> {
  const socket = connectTls({
    port: edge.httpsPort,
    host: '127.0.0.1',
    servername: 'rows.test',
    ALPNProtocols: ['h2'],
    rejectUnauthorized: false,
  });
  socket.on('secureConnect', () =>
    socket.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), SETTINGS, frames])),
  );
  socket.setTimeout(PATIENCE_MS, () => socket.destroy());
  socket.resume();
  socket.on('error', () => {});
  return new Promise((resolve) => socket.on('close', () => resolve()));
}

async function visitByHttp2(times: number): Promise<void> {
  const session = connectHttp2(`https://127.0.0.1:${edge.httpsPort}`, {
    rejectUnauthorized: false,
    servername: 'rows.test',
  });
  const streams = Array.from({ length: times }, () => session.request({ ':authority': 'rows.test' }));
  await Promise.all(streams.map((stream) => stream.resume() && new Promise((resolve) => stream.on('close', resolve))));
  session.close();
}

it('are owed for each request that has ended, however it did, and for none that has not', async () => {
  await Promise.all([
    send(edge.httpPort, GET.repeat(2) + GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')),
    edge.request('rows.test', { method: 'HEAD' }),
    edge.request('nowhere.test'),
    send(edge.httpPort, 'nonsense\r\n\r\n'),
    send(edge.httpPort, 'GET /%00 HTTP/1.1\r\nHost: rows.test\r\n\r\n'),
    send(edge.httpPort, `GET / HTTP/1.1\r\nHost: rows.test\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`),
    send(edge.httpsPort, GET),
    leave('', false),
    leave('GET / HTTP/1.1\r\nHost: ro', false),
    leave('GET /slow HTTP/1.1\r\nHost: rows.test\r\n\r\n', true),
    visitByHttp2(5),
    ...BROKEN.map(breakHttp2),
  ]);
  for (let at = 0; at < 2; at++) void send(edge.httpPort, GET.replace('/', '/slow'));
  await vi.waitFor(() => expect(ends).toHaveLength(3), { timeout: PATIENCE_MS });
  const rows = () => edge.control.rows.length;
  await vi.waitFor(async () => expect([await owed(), rows()]).toEqual([18, 18]), { timeout: 30_000 });
  expect(edge.control.rows.filter(({ status }) => status === 400)).toHaveLength(4 + BROKEN.length);
  expect(await edge.metrics()).toMatch(/^cordon_edge_log_lines_invalid 0$/m);
  for (const end of ends) end();
  await vi.waitFor(async () => expect([await owed(), rows()]).toEqual([20, 20]), { timeout: 30_000 });
});
