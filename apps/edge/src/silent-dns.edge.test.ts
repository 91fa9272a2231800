import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startOrigin, type TestOrigin } from './testing/origin.ts';
import { testRoute, testTarget, testUpstream } from './testing/routes.ts';
import { startEdge, type TestEdge } from './testing/start-edge.ts';

/** Takes questions and answers none; resolv.conf knows no port but 53. */
const SILENT = '127.53.0.1';
const directory = mkdtempSync(join(tmpdir(), 'cordon-silent-dns-'));
let server: Socket;
let edge: TestEdge;
let origin: TestOrigin;
let asked = 0;

beforeAll(async () => {
  server = createSocket('udp4').on('message', () => asked++);
  server.bind(53, SILENT);
  await once(server, 'listening');
  origin = await startOrigin((_, response) => response.end('origin'));
  const resolvConf = join(directory, 'resolv.conf');
  writeFileSync(resolvConf, `nameserver ${SILENT}\n`);
  edge = await startEdge({
    routes: [
      testRoute({ hosts: ['well.test'], upstream: testUpstream([testTarget(origin.port)]) }),
      ...Array.from({ length: 40 }, (_, at) =>
        testRoute({
          hosts: [`${at}.test`],
          upstream: testUpstream([testTarget(80, { host: `origin-${at}.invalid` })]),
        }),
      ),
    ],
    resolvConf,
    controlHost: 'localhost',
  });
});
afterAll(async () => {
  await edge?.stop();
  await origin?.stop();
  server?.close();
  rmSync(directory, { recursive: true, force: true });
});

it('a DNS server that answers nothing holds up neither the log nor what is sent to the control plane', async () => {
  await edge.control.until(() => asked >= 4, 'questions for the names of origins');
  // The connections that are open ask for no name.
  await edge.control.stop();
  await edge.control.start();
  const answer = await edge.request('well.test');
  expect(answer.status).toBe(200);
  await edge.control.row(({ request_id }) => request_id === answer.headers['x-request-id'], 'its row');
  await edge.deploy(testRoute({ hosts: ['new.test'], upstream: testUpstream([testTarget(origin.port)]) }));
});
