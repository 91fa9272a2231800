import { expect, it } from 'vitest';
import { createEgress } from './egress.ts';
import type { DnsResolver } from './resolver.ts';

const nothing: DnsResolver = { addresses: async () => [], cnames: async () => [], texts: async () => [] };
const nobody = async () => new Set<string>();

it('refuses the port of another service also while the name has no address: it may get one later', async () => {
  const egress = createEgress({ upstreamAllow: [] }, nothing, nobody);
  await expect(egress.resolve('mail.example.com', 25)).rejects.toMatchObject({ failure: 'forbidden' });
  await expect(egress.resolve('www.example.com', 443)).rejects.toMatchObject({ failure: 'unresolved' });
});

it('excepts exactly the address and port that are allowed', async () => {
  const egress = createEgress({ upstreamAllow: [{ address: '127.0.0.1', port: 25 }] }, nothing, nobody);
  await expect(egress.resolve('127.0.0.1', 25)).resolves.toEqual(['127.0.0.1']);
  await expect(egress.resolve('8.8.8.8', 25)).rejects.toMatchObject({ failure: 'forbidden' });
  await expect(egress.resolve('127.0.0.1', 80)).rejects.toMatchObject({ failure: 'forbidden' });
});
