import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EdgeRoute } from '@cordon/contract/edge-config';
import { textOfBytes } from '@cordon/plugin-kit/byte-text';
import { emitLua } from '@cordon/plugin-kit/lua';
import type { PlainRequest } from '@cordon/plugin-kit/plain-context';
import { luaModuleName, runUnderLuaJit, toLuaLiteral } from '@cordon/plugin-kit/testing';
import { readTarget, type Trace, type TracedRequest, traceRequest } from '@cordon/plugin-kit/trace';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildEdge, luaDir } from './testing/build-edge.ts';
import { ODD_HOST, type OddRequest, oddNames, oddRequests } from './testing/odd-requests.ts';
import { handler } from './testing/probe-handler.ts';
import { sendRaw } from './testing/raw.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/**
 * Whatever plugins can ask for of a request, nginx, Node (the trace) and LuaJIT (the cases) answer the same: what a trace
 * lets pass must not be refused by a node, and what a customer forbids must not pass because it is written oddly.
 */

const probeFile = fileURLToPath(new URL('./testing/probe-handler.ts', import.meta.url));
const contextFile = fileURLToPath(import.meta.resolve('@cordon/plugin-kit/plain-context'));

type Seen = Readonly<Record<string, string | null>>;

/** What the probe reported; undefined for a request that was refused. */
function readProbe(location: string | undefined): Seen | undefined {
  if (location === undefined) return undefined;
  const labels = [
    ...['method', 'scheme', 'host', 'path', 'rawPath', 'query', 'client'],
    ...oddNames.headers.flatMap((name) => [`header ${name}`, `headers ${name}`]),
    ...oddNames.cookies.map((name) => `cookie ${name}`),
    ...oddNames.args.map((name) => `arg ${name}`),
    ...oddNames.cookies.map((name) => `possible cookie ${name}`),
    ...oddNames.args.map((name) => `possible arg ${name}`),
  ];
  const values = location.split('.');
  if (values.length !== labels.length) throw new Error(`The probe reported ${values.length} of ${labels.length}`);
  return Object.fromEntries(
    labels.map((label, index) => {
      const value = values[index] as string;
      const isSure = value.endsWith('!');
      const texts = value.replace('!', '').split(',');
      const read = texts.map((hex) => Buffer.from(hex, 'hex').toString('latin1')).join('|');
      return [label, value === '-' ? null : isSure ? `${read} (sure)` : read];
    }),
  );
}

/** All fields of a request but the first Host. Where it says nothing of its body it has none. */
function linesOf({ lines = [] }: OddRequest): string[] {
  const isFramed = lines.some((line) => /^(content-length|transfer-encoding):/i.test(line));
  return [...lines, ...(isFramed ? [] : ['Content-Length: 0']), 'Connection: close'];
}

function bytesOf(request: OddRequest): Buffer {
  const { method = 'GET', target = '/', host = ODD_HOST, body = '' } = request;
  const head = [`${method} ${target} HTTP/1.1`, `Host: ${host}`, ...linesOf(request)];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`, 'latin1');
}

/** The same request for the trace. */
function tracedOf(request: OddRequest): TracedRequest {
  const { method = 'GET', target = '/', host = ODD_HOST } = request;
  const { path, query, hasFragment } = readTarget(textOfBytes(target));
  return {
    method,
    scheme: 'http',
    host: textOfBytes(host),
    path: path === '' ? '/' : path,
    query,
    hasFragment,
    headers: linesOf(request).map((line) => {
      const [name = '', value = ''] = line.split(/:(.*)/s);
      return { name, value: textOfBytes(value) };
    }),
    clientAddress: '127.0.0.1',
    country: '',
    asn: 0,
    crawler: '',
    isPreview: false,
  };
}

const locationOf = (trace: Trace): string | undefined => trace.steps.find(({ plugin }) => plugin === 'probe')?.location;

/** What the probe sees under LuaJIT of each request that is not refused. */
function seenInLuaJit(requests: readonly OddRequest[]): (Seen | undefined)[] {
  const plain = requests.map((request): PlainRequest => {
    const { host, headers, ...traced } = tracedOf(request);
    return {
      ...traced,
      host: ODD_HOST,
      headers: [{ name: 'Host', value: host }, ...headers],
      clientAddress: { family: 4, words: [0x7f000001] },
      now: 0,
    };
  });
  const script = [
    `local plain = require(${toLuaLiteral(luaModuleName(contextFile))})`,
    `local probe = require(${toLuaLiteral(luaModuleName(probeFile))})`,
    `for _, request in ipairs(${toLuaLiteral(plain)}) do`,
    `  print(probe.handler.access(plain.createPlainContext(nil, request, plain.createPlainState(nil)), ${toLuaLiteral(oddNames)}).location)`,
    'end',
  ].join('\n');
  return runUnderLuaJit([contextFile, probeFile], script).trimEnd().split('\n').map(readProbe);
}

const route: EdgeRoute = testRoute({
  hosts: [ODD_HOST],
  upstream: testUpstream([testTarget(1)]),
  plugins: [{ name: 'probe', config: oddNames }],
});
const accepted = oddRequests.filter(({ sees }) => sees !== undefined);
const inLuaJit = new Map<OddRequest, Seen | undefined>();
let ownLuaDir: string;
let edge: TestEdge;

beforeAll(async () => {
  await buildEdge();
  // The runner as it is, with the probe for its only plugin.
  ownLuaDir = mkdtempSync(join(tmpdir(), 'cordon-probe-lua-'));
  cpSync(luaDir, ownLuaDir, { recursive: true });
  emitLua({ entries: [probeFile], outDir: ownLuaDir });
  writeFileSync(
    join(ownLuaDir, 'packages/plugins/generated/handlers.lua'),
    `return { handlers = { probe = { phase = "redirect", handler = require("${luaModuleName(probeFile)}").handler } } }`,
  );
  edge = await startEdge({ routes: [route], environment: { CORDON_EDGE_LUA: ownLuaDir } });
  for (const [index, seen] of seenInLuaJit(accepted).entries()) inLuaJit.set(accepted[index] as OddRequest, seen);
});
afterAll(async () => {
  await edge?.stop();
  rmSync(ownLuaDir, { recursive: true, force: true });
});

/** What the probe saw, or the status of the refusal. */
async function seenInNginx(request: OddRequest): Promise<Seen | number | undefined> {
  const answer = await sendRaw(edge.httpPort, bytesOf(request), 10_000);
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
  if (status !== 302) return status;
  return readProbe(/^Location: (.*)\r$/m.exec(answer)?.[1]);
}

/** Over HTTP/2, where nginx makes one Cookie field of several, and Host of `:authority`. */
async function seenOverHttp2(path: string, fields: OutgoingHttpHeaders): Promise<Seen | undefined> {
  const session = connect(`https://127.0.0.1:${edge.httpsPort}`, { servername: ODD_HOST, rejectUnauthorized: false });
  const request = session.request({ ':path': path, ':authority': ODD_HOST, ...fields });
  const [answer] = (await once(request, 'response')) as [IncomingHttpHeaders];
  request.close();
  session.close();
  return readProbe(answer.location);
}

function seenInTrace(request: OddRequest, scheme: 'http' | 'https' = 'http'): Seen | number | undefined {
  const parts = { handlers: { probe: { phase: 'redirect', handler } }, cdnLoopId: 'cordon', now: 0 } as const;
  const trace = traceRequest(route, { ...tracedOf(request), scheme }, parts as never);
  const isRefused = trace.answer.kind === 'block' && trace.answer.status !== null;
  return isRefused ? Number(trace.answer.status) : readProbe(locationOf(trace));
}

describe('a request', () => {
  it.each(oddRequests.map((request) => [request.name, request] as const))('with %s', async (_, request) => {
    const seen = await seenInNginx(request);
    expect(seen).toEqual(request.sees ? expect.objectContaining(request.sees) : (request.status ?? 400));
    expect(seenInTrace(request)).toEqual(seen);
    expect(inLuaJit.get(request)).toEqual(request.sees && seen);
  });

  it('over HTTP/2', async () => {
    const seen = await seenOverHttp2('/a/%2E./%C3?a=1&a=2', { 'x-a': ['1', ' 2 '], cookie: ['a=1', 'A-b=2; a-b=3'] });
    const target = '/a/%2E./%C3?a=1&a=2';
    const lines = ['X-A: 1', 'X-A:  2 ', 'Cookie: a=1', 'Cookie: A-b=2; a-b=3'];
    expect(seen).toMatchObject({
      path: '/\xc3',
      'header x-a': '1, 2',
      'headers x-a': '1|2',
      'cookie a-b': '3',
      'header host': ODD_HOST,
    });
    expect(seenInTrace({ name: '', target, lines, sees: {} }, 'https')).toEqual(seen);
  });
});
