import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import type { EdgeTestResult } from '@cordon/contract/edge-config';
import { expect, it } from 'vitest';
import { TestAttacks } from './test-attacks.ts';

it('a test whose request is over without an answer has failed, and holds up none behind it', async () => {
  const answers = [
    '101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x',
    '204 No Content\r\nConnection: close',
  ];
  const nginx = createServer((socket) => {
    socket.once('data', () => socket.end(`HTTP/1.1 ${answers.shift()}\r\n\r\n`));
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => nginx.listen(0, '127.0.0.1', resolve));
  const reports: (readonly EdgeTestResult[])[] = [];
  const tests = new TestAttacks('127.0.0.1', (nginx.address() as AddressInfo).port, async (body) => {
    reports.push((JSON.parse(body) as { results: EdgeTestResult[] }).results);
  });
  tests.isReady = () => true;
  const request = { method: 'GET', target: '/', headers: [], address: '9.9.9.9', country: '', times: 1 };
  const run = () => tests.run({ id: randomUUID(), route_id: randomUUID(), host: 'a.test', requests: [request] });
  await Promise.all([run(), run()]);
  expect(reports.map(([result]) => result?.status)).toEqual([0, 204]);
  tests.close();
  nginx.close();
});
