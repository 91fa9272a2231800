import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { OwnVisits } from './own-visits.ts';

const SILENT = 40;

it('of a domain whose origin is silent keep no other one waiting, and end in time', async () => {
  const server = createServer((request, response) => {
    if (request.headers.host !== 'silent.test') response.end('answer');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const visits = new OwnVisits('127.0.0.1', port, port, 'key');
  const visit = (host: string, timeoutMs: number) =>
    visits.visit({ routeId: host, host, scheme: 'http', target: '/', headers: [], isRefresh: false }, timeoutMs);
  try {
    const silent = Promise.all(Array.from({ length: SILENT }, () => visit('silent.test', 2_000)));
    expect(await visit('quick.test', 1_900)).toMatchObject({ status: 200, bytes: 6 });
    const ended = await silent;
    expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 0));
    expect(Math.max(...ended.map(({ milliseconds }) => milliseconds))).toBeLessThan(4_000);
  } finally {
    visits.close();
    server.closeAllConnections();
    server.close();
  }
});
