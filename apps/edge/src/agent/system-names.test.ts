import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DnsServer, startDnsServer } from '../../../../tests/support/dns-server.ts';
import { SystemNames } from './system-names.ts';

let server: DnsServer;
let names: SystemNames;

beforeAll(async () => {
  server = await startDnsServer({ 'known.test': { A: ['192.0.2.7'], AAAA: ['2001:db8::7'] } });
  names = new SystemNames([server.address]);
});
afterAll(() => server.close());

const lookUp = (name: string, options: { all?: boolean; family?: number }) =>
  new Promise((resolve, reject) => {
    names.lookup(name, options, (error, address, family) => (error ? reject(error) : resolve([address, family])));
  });

describe('names of the system', () => {
  it('have the addresses of both families', async () => {
    expect(await names.addresses('known.test')).toEqual(['192.0.2.7', '2001:db8::7']);
    await expect(names.addresses('unknown.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('are looked up as connections ask', async () => {
    expect(await lookUp('known.test', { family: 6 })).toEqual(['2001:db8::7', 6]);
    expect(await lookUp('known.test', { all: true })).toEqual([
      [
        { address: '192.0.2.7', family: 4 },
        { address: '2001:db8::7', family: 6 },
      ],
      undefined,
    ]);
  });

  it('are in the list of hosts, where no servers are named', async () =>
    expect(await new SystemNames().addresses('LOCALHOST.')).toContain('127.0.0.1'));

  it('may be known to the system alone', async () => {
    await expect(names.addresses('localhost')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    expect(await lookUp('localhost', { family: 4 })).toEqual(['127.0.0.1', 4]);
  });
});
