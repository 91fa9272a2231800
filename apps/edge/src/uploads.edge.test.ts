import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { DEMO_SECRET, startEdge, type TestEdge } from './testing/start-edge.ts';

const WINDOW_MS = 1000;
const LEAST = 500;
/** More than what is read before the origin is connected to. */
const LARGE = 200_000;

let edge: TestEdge;
/** Its limits of uploads are small. */
let narrow: TestEdge;
let origin: TestOrigin;

beforeAll(async () => {
  origin = await startOrigin(async (request, response) => {
    const path = request.url ?? '';
    if (path === '/pause') {
      request.pause();
      await delay(2.2 * WINDOW_MS);
    }
    let bytes = 0;
    request.on('error', () => {});
    request.on('data', (part: Buffer) => {
      bytes += part.length;
    });
    request.resume();
    request.on('end', async () => {
      if (path === '/think') await delay(2.2 * WINDOW_MS);
      response.end(String(bytes));
    });
  });
  const upstream = testUpstream([testTarget(origin.port)], { read_timeout_ms: 10_000, send_timeout_ms: 10_000 });
  const limits = (more: Record<string, number>) => ({ CORDON_EDGE_LIMITS: JSON.stringify(more) });
  [edge, narrow] = await Promise.all([
    startEdge({
      environment: limits({
        upload_window_seconds: WINDOW_MS / 1000,
        upload_bytes_per_second: LEAST,
        uploads_per_client: 1000,
      }),
      routes: [testRoute({ hosts: ['site.test'], upstream })],
    }),
    startEdge({
      environment: limits({ uploads_per_client: 3, uploads_per_domain: 5 }),
      routes: [testRoute({ hosts: ['narrow.test'], upstream }), testRoute({ hosts: ['other.test'], upstream })],
    }),
  ]);
});

afterAll(async () => {
  await Promise.all([edge?.stop(), narrow?.stop()]);
  await origin?.stop();
});

interface Sending {
  /** Status and text of the answer, once all of it has come. */
  readonly answer: Promise<{ status: number; text: string }>;
  write(bytes: string | Buffer): void;
  /** Ends the body. */
  end(): void;
}

type Framing = 'length' | 'chunks' | 'http2' | 'http2 without length';
const framings: readonly Framing[] = ['length', 'chunks', 'http2', 'http2 without length'];

/** A request whose head is sent, to an edge; its body follows by hand. */
function send(to: TestEdge, path: string, framing: Framing, bytes: number, host = 'site.test', from?: string): Sending {
  const fields: Record<string, string> =
    from === undefined ? {} : { 'cordon-demo-secret': DEMO_SECRET, 'x-forwarded-for': from };
  return framing.startsWith('http2')
    ? sendStream(to, path, host, { ...fields, ...(framing === 'http2' ? { 'content-length': String(bytes) } : {}) })
    : sendPlain(to, path, host, framing === 'chunks', {
        ...fields,
        ...(framing === 'chunks' ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(bytes) }),
      });
}

function sendPlain(
  to: TestEdge,
  path: string,
  host: string,
  isChunked: boolean,
  fields: Record<string, string>,
): Sending {
  const socket = connect(to.httpPort, '127.0.0.1');
  socket.on('error', () => {});
  const lines = Object.entries({ host, ...fields, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  let text = '';
  socket.setEncoding('latin1');
  const answer = new Promise<{ status: number; text: string }>((resolve) => {
    const over = () => resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text });
    socket.on('data', (part: string) => {
      text += part;
      const [head = '', body] = text.split('\r\n\r\n');
      // Behind a refused body, nginx closes when it has waited for the rest.
      if (body?.length === Number(/^content-length: (\d+)/im.exec(head)?.[1])) over();
    });
    socket.on('end', over);
    socket.on('close', over);
  });
  void answer.then(() => socket.destroy());
  return {
    answer,
    write: (bytes) => {
      if (isChunked) socket.write(`${bytes.length.toString(16)}\r\n`);
      socket.write(bytes);
      if (isChunked) socket.write('\r\n');
    },
    end: () => void (isChunked && socket.write('0\r\n\r\n')),
  };
}

function sendStream(
  to: TestEdge,
  path: string,
  host: string,
  fields: Record<string, string>,
  method = 'POST',
): Sending {
  const session = connectHttp2(`https://127.0.0.1:${to.httpsPort}`, { rejectUnauthorized: false, servername: host });
  session.on('error', () => {});
  const stream = session.request(
    { ':path': path, ':authority': host, ':method': method, ...fields },
    { endStream: false },
  );
  let status = 0;
  let text = '';
  stream.setEncoding('latin1');
  stream.on('response', (headers) => {
    status = Number(headers[':status']);
  });
  stream.on('data', (part: string) => {
    text += part;
  });
  stream.on('error', () => {});
  const answer = new Promise<{ status: number; text: string }>((resolve) => {
    stream.on('end', () => resolve({ status, text }));
    stream.on('close', () => resolve({ status, text }));
  });
  void answer.then(() => session.destroy());
  return { answer, write: (bytes) => stream.write(bytes), end: () => stream.end() };
}

/** Sends pieces at intervals until the answer is there, or so many have been sent. */
async function drip(sending: Sending, piece: string, everyMs: number, pieces = Number.POSITIVE_INFINITY) {
  let isAnswered = false;
  void sending.answer.then(() => {
    isAnswered = true;
  });
  for (let sent = 0; sent < pieces && !isAnswered; sent++) {
    sending.write(piece);
    await delay(everyMs);
  }
  sending.end();
  return sending.answer;
}

const inEachFraming = (run: (framing: Framing) => Promise<void>) => Promise.all(framings.map(run));

async function expectBytes(framing: Framing, answer: Sending['answer'], bytes: number): Promise<void> {
  const { status, text } = await answer;
  expect([framing, status]).toEqual([framing, 200]);
  expect(text).toContain(String(bytes));
}

describe.concurrent('a slow body', () => {
  it('that is small holds no connection of the origin, be they 200', async () => {
    let isOver = false;
    const slow = Array.from({ length: 200 }, (_, at) =>
      drip(send(edge, '/slow-small', at % 4 === 0 ? 'http2' : 'length', 1000), 'x', 500),
    );
    const over = Promise.all(slow).finally(() => {
      isOver = true;
    });
    let honest = 0;
    while (!isOver) {
      expect((await edge.request('site.test', { method: 'POST', body: 'abc' })).body).toBe('3');
      honest++;
      await delay(100);
    }
    const answers = await over;
    expect(answers.filter(({ status, text }) => status === 408 && text.includes('Cordon'))).toHaveLength(200);
    expect(honest).toBeGreaterThan(3);
    expect(origin.requests.filter(({ url }) => url === '/slow-small')).toEqual([]);
  });

  it('that is large is ended at the origin, too', () =>
    inEachFraming(async (framing) => {
      const path = `/slow-large-${framings.indexOf(framing)}`;
      const { status, text } = await drip(send(edge, path, framing, LARGE), 'x', 100);
      expect([framing, status]).toEqual([framing, 408]);
      expect(text).toContain('Upload too slow');
      const arrived = () => origin.requests.filter(({ url }) => url === path);
      await vi.waitFor(() => expect(arrived()).toMatchObject([{ destroyed: true, complete: false }]), {
        timeout: 10_000,
      });
      const row = await edge.control.row((one) => one.path === path);
      expect(row).toMatchObject({ status: 408, action: 'block', reason: 'body_too_slow', upstream_status: 0 });
    }));
});

describe.concurrent('a body is passed on', () => {
  it('when it comes slowly, but fast enough', () =>
    inEachFraming(async (framing) => {
      // For two and a half windows.
      const pieces = 50;
      const piece = 'y'.repeat(1600);
      const sending = send(edge, '/', framing, pieces * piece.length);
      await expectBytes(framing, drip(sending, piece, WINDOW_MS / 20, pieces), pieces * piece.length);
    }));

  it('when it is whole, however long the answer takes', () =>
    inEachFraming(async (framing) => {
      const sending = send(edge, '/think', framing, LARGE);
      sending.write('z'.repeat(LARGE));
      sending.end();
      await expectBytes(framing, sending.answer, LARGE);
    }));

  it('when it is small and comes in pieces', async () => {
    expect(await drip(send(edge, '/', 'length', 30_000), 'x'.repeat(1500), 5, 20)).toMatchObject({ status: 200 });
  });
});

// As bytes, and one after the other: to make them of so long a text keeps this process from sending them in time.
it.each(framings)('a body (%s) is passed on when the origin takes nothing for a while', async (framing) => {
  const bytes = Buffer.alloc(24_000_000, 'z');
  const sending = send(edge, '/pause', framing, bytes.length);
  sending.write(bytes);
  sending.end();
  await expectBytes(framing, sending.answer, bytes.length);
});

it('a body that nothing has said is refused where no request has one', async () => {
  // Places of bodies are found in the first request with one.
  expect((await edge.request('site.test', { method: 'POST', body: 'abc' })).status).toBe(200);
  const sending = sendStream(edge, '/get', 'site.test', {}, 'GET');
  sending.write('x');
  expect(await sending.answer).toMatchObject({ status: 411, text: expect.stringContaining('Cordon') });
  expect(origin.requests.filter(({ url }) => url === '/get')).toEqual([]);
  const plain = sendStream(edge, '/get', 'site.test', {}, 'DELETE');
  plain.end();
  expect((await plain.answer).status).toBe(200);
});

it('uploads at once are limited for each client and each domain', async () => {
  const upload = (from: string, host = 'narrow.test') => send(narrow, '/', 'length', LARGE, host, from);
  const arrived = (count: number) =>
    vi.waitFor(() => expect(origin.requests.length).toBe(before + count), { timeout: 10_000 });
  const before = origin.requests.length;
  const held = ['8.8.8.1', '8.8.8.1', '8.8.8.1'].map((from) => upload(from));
  await arrived(3);
  expect(await upload('8.8.8.1').answer).toMatchObject({
    status: 429,
    text: expect.stringContaining('Retry-After: 5'),
  });
  held.push(upload('8.8.8.2'), upload('8.8.8.2'));
  await arrived(5);
  expect(await upload('8.8.8.3').answer).toMatchObject({
    status: 503,
    text: expect.stringContaining('Too many uploads'),
  });
  const elsewhere = upload('8.8.8.3', 'other.test');
  await arrived(6);
  for (const sending of [...held, elsewhere]) {
    sending.write('x'.repeat(LARGE));
    expect((await sending.answer).status).toBe(200);
  }
  const next = upload('8.8.8.1');
  next.write('x'.repeat(LARGE));
  expect((await next.answer).status).toBe(200);
  const row = await narrow.control.row(({ reason }) => reason === 'upload_limit');
  expect(row).toMatchObject({ action: 'block', plugin: '' });
});
