import { createSocket } from 'node:dgram';
import dns from 'node:dns';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { createResolver } from './resolver.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

function hostsFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'cordon-hosts-'));
  cleanUps.push(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'hosts'), text);
  return join(folder, 'hosts');
}

it('knows the hosts file, also after it has changed', async () => {
  const path = hostsFile(
    '127.0.0.1 localhost\n192.0.2.7\torigin.test Other.test # 192.0.2.8\n2001:DB8::1 origin.test\n',
  );
  const resolver = createResolver({ resolver: [] }, path);
  expect(await resolver.addresses('Origin.test')).toEqual(['192.0.2.7', '2001:db8::1']);
  expect(await resolver.addresses('other.test.')).toEqual(['192.0.2.7']);
  writeFileSync(path, '192.0.2.99 origin.test\n');
  expect(await resolver.addresses('origin.test')).toEqual(['192.0.2.99']);
});

it("takes none of the process's threads, however long a name server takes", async () => {
  const lookup = vi.spyOn(dns, 'lookup');
  const lookupPromise = vi.spyOn(dns.promises, 'lookup');
  await createResolver({ resolver: [] }, hostsFile('192.0.2.1 a.test\n')).addresses('a.test');
  expect(lookup).not.toHaveBeenCalled();
  expect(lookupPromise).not.toHaveBeenCalled();
});

it('asks the servers that the settings name, and not the hosts file', async () => {
  const server = createSocket('udp4').bind(0, '127.0.0.1');
  cleanUps.push(() => server.close());
  await once(server, 'listening');
  server.on('message', (query, from) => {
    // The question as it came, marked as an answer that has none.
    const answer = Buffer.from(query);
    answer.writeUInt16BE(0x8180, 2);
    server.send(answer, from.port, from.address);
  });
  const { port } = server.address() as AddressInfo;
  const path = hostsFile('192.0.2.1 a.test\n');
  expect(await createResolver({ resolver: [{ address: '127.0.0.1', port }] }, path).addresses('a.test')).toEqual([]);
});
